import CMoyaZlib
import Foundation

/// Decompresses messages (RFC 7692, section 7.2.2), one after the other.
///
/// Push the parts of a message, and take pieces until there are none: a small part may have a large output.
final class MessageInflater {
    private let stream: ZlibStream
    private let resetsAfterMessage: Bool
    private var input = Data()
    private var endsMessage = false

    /// Creates a decompressor; `windowBits` is in 8...15.
    init(windowBits: Int, resetsAfterMessage: Bool) throws(ZlibError) {
        self.resetsAfterMessage = resetsAfterMessage
        // zlib's decoder needs no more than the negotiated window, in which the smallest one is 2^8.
        let bits = -CInt(min(max(windowBits, 8), 15))
        stream = try ZlibStream(
            begin: { inflateInit2_($0, bits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) },
            end: inflateEnd
        )
    }

    /// Appends the next part of the message.
    ///
    /// Take all pieces of the earlier parts first.
    func push(_ part: Data, endsMessage: Bool) {
        // The sender has removed these bytes.
        input = endsMessage ? part + MessageDeflater.flushEnd : part
        self.endsMessage = endsMessage
    }

    /// Returns the next piece of at most 64 KiB; `nil` if there is no more output of the parts so far.
    ///
    /// - Throws: ``WebSocketError/protocolViolation(_:)``.
    func next() throws(WebSocketError) -> Data? {
        var outcome: Result<Data?, WebSocketError> = .success(nil)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pieceSize) { room in
            outcome = inflate(into: room)
        }
        let piece = try outcome.get()
        if piece == nil, endsMessage {
            endsMessage = false
            if resetsAfterMessage { try reset() }
        }
        return piece
    }

    private static let pieceSize = 65_536

    private func inflate(into room: UnsafeMutableBufferPointer<UInt8>) -> Result<Data?, WebSocketError> {
        while true {
            let (progress, code) = input.withUnsafeBytes { bytes in
                stream.call(input: bytes.bindMemory(to: UInt8.self), output: room) { zlib, _ in
                    CMoyaZlib.inflate(zlib, Z_SYNC_FLUSH)
                }
            }
            input = progress.used == input.count ? Data() : input.dropFirst(progress.used)
            switch code {
            case Z_OK, Z_BUF_ERROR:
                // zlib may have output left, if the room is full.
                if progress.produced > 0 { break }
                return .success(nil)
            case Z_STREAM_END:
                // Another block follows a final one (section 7.2.3.4).
                do throws(WebSocketError) { try continueAfterFinalBlock() } catch { return .failure(error) }
                if progress.produced > 0 { break }
                if input.isEmpty { return .success(nil) }
                continue
            default:
                return .failure(.protocolViolation(.invalidCompression))
            }
            return .success(Data(room[..<progress.produced]))
        }
    }

    /// Begins new deflate data that may refer to the data before it.
    private func continueAfterFinalBlock() throws(WebSocketError) {
        var window = [UInt8](repeating: 0, count: 1 << 15)
        var size = uInt(window.count)
        try call { inflateGetDictionary($0, &window, &size) }
        try reset()
        try call { inflateSetDictionary($0, window, size) }
    }

    private func reset() throws(WebSocketError) { try call(inflateReset) }

    private func call(_ function: (UnsafeMutablePointer<z_stream>) -> CInt) throws(WebSocketError) {
        do throws(ZlibError) { try stream.reset(function) } catch { throw .protocolViolation(.invalidCompression) }
    }
}
