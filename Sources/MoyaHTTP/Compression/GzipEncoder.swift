import CMoyaZlib
import Foundation

/// Codes a body in gzip (RFC 1952), piece by piece, over zlib.
///
/// Push what there is, take pieces until there are none, and so on; call ``finish()`` at the end, and take the last
/// pieces. The same input gives the same output: the header has neither a time nor a name.
package final class GzipEncoder {
    private let stream: ZlibStream
    private var isFinishing = false
    private var isOver = false

    /// - Parameters:
    ///   - level: From 0, which only wraps, and 1, the fastest, to 9, the smallest; zlib's own middle if it is `nil`.
    ///   - longestInput: For tests.
    init(level: Int? = nil, longestInput: Int = ZlibStream.longestInput) throws(ZlibError) {
        let level = level.map { CInt(min(max($0, 0), 9)) } ?? Z_DEFAULT_COMPRESSION
        stream = try ZlibStream(
            begin: { stream in
                let size = CInt(MemoryLayout<z_stream>.size)
                // 16 asks for gzip's header and trailer; 8 is zlib's default for the memory.
                return deflateInit2_(
                    stream,
                    level,
                    Z_DEFLATED,
                    MAX_WBITS + 16,
                    8,
                    Z_DEFAULT_STRATEGY,
                    ZLIB_VERSION,
                    size
                )
            },
            end: deflateEnd,
            longestInput: longestInput
        )
    }

    /// Codes a body that is there as a whole.
    package static func encode(_ data: Data, level: Int? = nil) throws(ZlibError) -> Data {
        let encoder = try GzipEncoder(level: level)
        encoder.push(data)
        encoder.finish()
        var coded = Data()
        while let piece = try encoder.next() { coded.append(piece) }
        return coded
    }

    /// Takes input. Have the pieces of what came before out first, or it piles up here.
    func push(_ input: Data) { stream.push(input) }

    /// Says that there is no more input; the last pieces can be taken then.
    func finish() { isFinishing = true }

    /// Gives the next piece, of up to `maximum` bytes and 64 KiB; `nil` if it takes more input, or at the end.
    ///
    /// - Throws: ``ZlibError``, also for input that was pushed after the end.
    func next(maximum: Int = ZlibStream.pieceSize) throws(ZlibError) -> Data? {
        while stream.hasRoom(of: maximum), try advance(maximum: maximum) {}
        return stream.takeOutput()
    }

    /// Does one step. Returns false if there is nothing to do without more input.
    private func advance(maximum: Int) throws(ZlibError) -> Bool {
        guard !isOver else {
            guard !stream.hasInput else { throw ZlibError(Z_STREAM_ERROR) }
            return false
        }
        let code = stream.step(maximum: maximum) { zlib, isAll in
            deflate(zlib, isFinishing && isAll ? Z_FINISH : Z_NO_FLUSH)
        }
        switch code {
        case Z_OK:
            return stream.hasInput
        case Z_BUF_ERROR where !isFinishing:
            return false
        case Z_STREAM_END:
            isOver = true
            return true
        default:
            throw ZlibError(code)
        }
    }
}
