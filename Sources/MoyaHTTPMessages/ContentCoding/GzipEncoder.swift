import CMoyaZlib
import Foundation

/// A gzip encoder (RFC 1952) that works piece by piece, based on zlib.
///
/// Push input, take pieces until there are none, and repeat; call ``finish()`` at the end and take the last pieces.
/// The output is deterministic: the header contains no time and no name.
package final class GzipEncoder {
    private let stream: ZlibStream
    private var isFinishing = false
    private var isOver = false

    /// Creates an encoder.
    ///
    /// `level` is 0 (no compression), or 1 (fastest) to 9 (smallest); `nil` is zlib's default. `longestInput` is
    /// for tests.
    init(level: Int? = nil, longestInput: Int = ZlibStream.longestInput) throws(ZlibError) {
        let level = level.map { CInt(min(max($0, 0), 9)) } ?? Z_DEFAULT_COMPRESSION
        stream = try ZlibStream(
            begin: { stream in
                let size = CInt(MemoryLayout<z_stream>.size)
                // 16 selects gzip's header and trailer; 8 is zlib's default memory level.
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

    /// Encodes a complete body.
    package static func encode(_ data: Data, level: Int? = nil) throws(ZlibError) -> Data {
        let encoder = try GzipEncoder(level: level)
        encoder.push(data)
        encoder.finish()
        var coded = Data()
        while let piece = try encoder.next() { coded.append(piece) }
        return coded
    }

    /// Adds input.
    ///
    /// Take all pieces of the earlier input first; otherwise the input accumulates.
    func push(_ input: Data) { stream.buffers.push(input) }

    /// Marks the end of the input, after which the last pieces can be taken.
    func finish() { isFinishing = true }

    /// Returns the next piece of at most `maximum` bytes and 64 KiB; `nil` if more input is needed, or at the end.
    ///
    /// - Throws: ``ZlibError``, also for input that was pushed after the end.
    func next(maximum: Int = CodingBuffers.pieceSize) throws(ZlibError) -> Data? {
        while stream.buffers.hasRoom(of: maximum), try advance(maximum: maximum) {}
        return stream.buffers.takeOutput()
    }

    /// Performs one step.
    ///
    /// Returns false if more input is needed, or after the end.
    private func advance(maximum: Int) throws(ZlibError) -> Bool {
        guard !isOver else {
            guard !stream.buffers.hasInput else { throw ZlibError(Z_STREAM_ERROR) }
            return false
        }
        let code = stream.step(maximum: maximum) { zlib, isAll in
            deflate(zlib, isFinishing && isAll ? Z_FINISH : Z_NO_FLUSH)
        }
        switch code {
        case Z_OK:
            return stream.buffers.hasInput
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
