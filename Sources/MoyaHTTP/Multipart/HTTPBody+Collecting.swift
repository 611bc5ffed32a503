import Foundation

extension HTTPBody {
    /// Writes the body to a new file, a piece at a time. A failure leaves no file behind.
    ///
    /// - Throws: ``MultipartError`` if the file exists or cannot be written, ``RequestBodyError`` if the body cannot be
    ///   read.
    func write(toNewFile url: URL) throws {
        // Before the body is opened, which would use up its streams.
        let file = try NewFile(url)
        let reader = try openWithoutWaiting()
        while let piece = try reader.read() { try file.write(piece) }
        try file.finish()
    }

    /// The whole body in memory.
    func collected() throws(RequestBodyError) -> Data {
        let reader = try openWithoutWaiting()
        var bytes = Data()
        while let piece = try reader.read() { bytes.append(piece) }
        return bytes
    }

    /// Opens the body unless there is an async sequence in it; then nothing is used up.
    private func openWithoutWaiting() throws(RequestBodyError) -> Reader {
        for segment in segments {
            if case .sequence = segment.content { throw RequestBodyError(.asynchronous, part: segment.part) }
        }
        return try open()
    }
}
