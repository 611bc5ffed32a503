#if NIO && !canImport(Darwin)
import NIOCore

/// The server's first message of a TLS handshake, from which the selected cipher suite is read (RFC 8446, sections 4.1.3 and 5.1).
///
/// The message is not encrypted. It need not be valid: TLS checks it.
struct ServerHello: Sendable {
    /// The number of bytes before the session identifier: of the record, of the message, the version and the random value.
    private static let fixedSize = 5 + 4 + 2 + 32
    /// The number of bytes up to the cipher suite, with the longest session identifier.
    private static let maximumSize = fixedSize + 1 + 32 + 2

    private var bytes: [UInt8] = []
    /// The cipher suite; `nil` before it has arrived, and if the bytes are another message.
    private(set) var cipherSuite: UInt16?
    /// Whether no more bytes are needed.
    private(set) var isComplete = false

    /// Handles bytes of the server.
    mutating func receive(_ buffer: ByteBuffer) {
        guard !isComplete else { return }
        bytes += buffer.readableBytesView.prefix(Self.maximumSize - bytes.count)
        // A handshake record with a ServerHello.
        if bytes.count > 0, bytes[0] != 22 { return end() }
        if bytes.count > 5, bytes[5] != 2 { return end() }
        guard bytes.count > Self.fixedSize else { return }
        let idSize = Int(bytes[Self.fixedSize])
        guard idSize <= 32 else { return end() }
        let position = Self.fixedSize + 1 + idSize
        guard bytes.count >= position + 2 else { return }
        cipherSuite = UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
        end()
    }

    private mutating func end() { (bytes, isComplete) = ([], true) }
}
#endif
