import Foundation

/// A decoder for one content coding that works piece by piece.
///
/// Push input, take pieces until there are none, and repeat; call ``finish()`` at the end. Output is produced one piece at a
/// time, however large it is. No input at all is a valid empty body, as in responses to HEAD, 204 and 304.
protocol ContentDecoder: AnyObject {
    /// The input and output.
    var buffers: CodingBuffers { get }
    /// The error that ended the decoding.
    var failure: ContentDecodingError? { get set }
    /// Whether the input may end here.
    var isComplete: Bool { get }

    /// Performs one step, and returns false if more input is needed.
    func advance(maximum: Int) throws(ContentDecodingError) -> Bool
}

extension ContentDecoder {
    /// The number of input bytes that have been used.
    var consumed: Int64 { buffers.consumed }

    /// Adds input.
    ///
    /// Take all pieces of the earlier input first; otherwise the input accumulates.
    func push(_ input: Data) { buffers.push(input) }

    /// Returns the next piece of at most `maximum` bytes and 64 KiB; `nil` if more input is needed.
    ///
    /// Every later call throws the same error again.
    func next(maximum: Int = CodingBuffers.pieceSize) throws(ContentDecodingError) -> Data? {
        if let failure { throw failure }
        do throws(ContentDecodingError) {
            while buffers.hasRoom(of: maximum), try advance(maximum: maximum) {}
        } catch {
            failure = error
            _ = buffers.takeOutput()
            throw error
        }
        return buffers.takeOutput()
    }

    /// Marks the end of the input.
    ///
    /// Call it after ``next(maximum:)`` has returned `nil`.
    ///
    /// - Throws: ``ContentDecodingError/truncated``, or an earlier error.
    func finish() throws(ContentDecodingError) {
        if let failure { throw failure }
        guard isComplete else { throw .truncated }
    }
}

extension ContentCoding {
    /// Creates a decoder.
    func makeDecoder() throws(ContentDecodingError) -> any ContentDecoder {
        switch self {
        case .gzip, .deflate: try Inflater(self)
        #if Brotli
        case .brotli: try BrotliDecoder()
        #endif
        #if Zstd
        case .zstd: try ZstdDecoder()
        #endif
        }
    }
}
