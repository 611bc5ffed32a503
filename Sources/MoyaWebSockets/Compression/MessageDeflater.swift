import CMoyaZlib
import Foundation

/// Compresses messages (RFC 7692, section 7.2.1), one after the other.
///
/// The output of a message is the pieces that the calls of ``compress(_:endsMessage:_:)`` produce.
// Unchecked because zlib's state is not Sendable. Messages are compressed by one task at a time.
package final class MessageDeflater: @unchecked Sendable {
    private let stream: ZlibStream
    private let resetsAfterMessage: Bool
    /// The last bytes of the output, which may be the end of the message that is not sent.
    private var tail = Data()

    /// The bytes with which the output of a flush ends, and which are not sent.
    static let flushEnd = Data([0x00, 0x00, 0xFF, 0xFF])

    /// Creates a compressor; `windowBits` is in 9...15.
    package init(windowBits: Int, resetsAfterMessage: Bool, level: Int?) throws(ZlibError) {
        self.resetsAfterMessage = resetsAfterMessage
        let level = level.map { CInt(min(max($0, 1), 9)) } ?? Z_DEFAULT_COMPRESSION
        stream = try ZlibStream(
            begin: { stream in
                // A negative number of bits selects raw deflate data; 8 is zlib's default memory level.
                deflateInit2_(
                    stream,
                    level,
                    Z_DEFLATED,
                    -CInt(min(max(windowBits, 9), 15)),
                    8,
                    Z_DEFAULT_STRATEGY,
                    ZLIB_VERSION,
                    CInt(MemoryLayout<z_stream>.size)
                )
            },
            end: deflateEnd
        )
    }

    /// Compresses the next bytes of a message, and passes the output to the closure.
    package func compress(
        _ input: UnsafeRawBufferPointer,
        endsMessage: Bool,
        _ output: (UnsafeRawBufferPointer) -> Void
    ) throws(ZlibError) {
        var input = UnsafeBufferPointer(start: input.bindMemory(to: UInt8.self).baseAddress, count: input.count)
        var result: Result<Void, ZlibError> = .success(())
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pieceSize) { room in
            while true {
                let (progress, code) = stream.call(input: input, output: room) { zlib, isAll in
                    deflate(zlib, endsMessage && isAll ? Z_SYNC_FLUSH : Z_NO_FLUSH)
                }
                input = UnsafeBufferPointer(rebasing: input[progress.used...])
                // zlib reports a flush without anything to flush as a lack of room.
                guard code == Z_OK || code == Z_BUF_ERROR else {
                    result = .failure(ZlibError(code))
                    return
                }
                pass(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<progress.produced]), output)
                // A full buffer may mean that there is more output.
                if input.isEmpty, progress.produced < room.count { return }
            }
        }
        try result.get()
        if endsMessage { try finishMessage(output) }
    }

    private static let pieceSize = 32_768

    /// Passes bytes on, except the last four of the message.
    private func pass(_ bytes: UnsafeRawBufferPointer, _ output: (UnsafeRawBufferPointer) -> Void) {
        let size = Self.flushEnd.count
        guard bytes.count >= size else {
            tail.append(contentsOf: bytes)
            guard tail.count > size else { return }
            tail.withUnsafeBytes { output(UnsafeRawBufferPointer(rebasing: $0.dropLast(size))) }
            tail = Data(tail.suffix(size))
            return
        }
        if !tail.isEmpty { tail.withUnsafeBytes { output($0) } }
        if bytes.count > size { output(UnsafeRawBufferPointer(rebasing: bytes.dropLast(size))) }
        tail = Data(bytes.suffix(size))
    }

    private func finishMessage(_ output: (UnsafeRawBufferPointer) -> Void) throws(ZlibError) {
        // An empty message produces nothing after a flush: an empty block stands for it (section 7.2.3.6).
        if tail != Self.flushEnd {
            tail.append(0)
            tail.withUnsafeBytes { output($0) }
        }
        tail = Data()
        if resetsAfterMessage { try stream.reset(deflateReset) }
    }
}
