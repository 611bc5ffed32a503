import Foundation

extension HTTPBody {
    /// Writes the body to a new file piece by piece.
    ///
    /// After a failure the file is removed.
    ///
    /// - Throws: ``MultipartError`` if the file exists or cannot be written, ``RequestBodyError`` if the body
    ///   cannot be read.
    func write(toNewFile url: URL) throws {
        // The file is created first, since opening the body consumes its streams.
        let file = try NewFile(url)
        let reader = try openWithoutWaiting()
        while let piece = try reader.read() { try file.write(piece) }
        try file.finish()
    }

    /// Returns the whole body in memory.
    func collected() throws(RequestBodyError) -> Data {
        let reader = try openWithoutWaiting()
        var bytes = Data()
        while let piece = try reader.read() { bytes.append(piece) }
        return bytes
    }

    /// Opens the body unless it contains an async sequence; in that case nothing is consumed.
    private func openWithoutWaiting() throws(RequestBodyError) -> Reader {
        for segment in segments {
            if case .sequence = segment.content { throw RequestBodyError(.asynchronous, part: segment.part) }
        }
        return try open()
    }
}
