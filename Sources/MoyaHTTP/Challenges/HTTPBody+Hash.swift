extension HTTPBody {
    /// The hash of the body as it is sent, for `auth-int` (RFC 7616, section 3.4.3). A piece of it at a time is in memory.
    ///
    /// It reads the body, so that only one that is repeatable can be sent afterwards.
    ///
    /// - Throws: ``RequestBodyError``.
    package func hash(by digest: DigestHash) async throws(RequestBodyError) -> [UInt8] {
        var plain = HTTPBody(segments: segments)
        // Hashing is no progress of the upload: it is not observed.
        if isGzipped { plain = plain.gzipped() }
        let reader = try plain.open()
        var function = digest.function.init()
        while let piece = try await reader.next() { function.update(piece) }
        return function.finalize()
    }
}
