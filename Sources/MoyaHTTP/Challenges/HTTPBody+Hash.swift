extension HTTPBody {
    /// Returns the hash of the body as sent, for `auth-int` (RFC 7616, section 3.4.3).
    ///
    /// The body is read piece by piece, so only a repeatable body can be sent afterwards.
    ///
    /// - Throws: ``RequestBodyError``.
    package func hash(by digest: DigestHash) async throws(RequestBodyError) -> [UInt8] {
        var plain = HTTPBody(segments: segments)
        // Hashing is not upload progress, so the copy is not observed.
        if isGzipped { plain = plain.gzipped() }
        let reader = try plain.open()
        var function = digest.function.init()
        while let piece = try await reader.next() { function.update(piece) }
        return function.finalize()
    }
}
