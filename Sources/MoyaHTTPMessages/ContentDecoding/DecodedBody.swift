import Foundation

/// A body that is decoded on demand: the decoder between two calls for a piece.
///
/// It is an actor because zlib's state must not be shared. ``TransportBodyStream/wrapped(_:mapError:)`` handles the end, the errors
/// and overlapping calls.
actor DecodedBody {
    private let decoder: BodyDecoder
    private let url: URL
    /// The first piece, if it has been decoded already.
    private var start: Data?

    /// Creates a body; `url` is that of the response, for errors.
    init(by decoder: sending BodyDecoder, start: Data? = nil, url: URL) {
        self.decoder = decoder
        self.start = start
        self.url = url
    }

    /// Returns the next decoded piece, or `nil` at the end.
    ///
    /// `nextChunk` returns the next chunk of the encoded body, which is read when all earlier ones are decoded.
    func next(readingChunks nextChunk: TransportBodyStream.Next) async throws -> Data? {
        if let start = start.take() { return start }
        while true {
            // The decoder may have much output left.
            guard !Task.isCancelled else { throw URLError.cancelled(url: url) }
            if let piece = try decoder.next() { return piece }
            guard let chunk = try await nextChunk() else { break }
            decoder.push(chunk)
        }
        try decoder.finish()
        return nil
    }
}
