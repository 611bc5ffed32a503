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

extension ServerHello {
    /// Returns the name of a cipher suite in the registry of IANA, or its number if BoringSSL does not offer it.
    static func name(ofCipherSuite number: UInt16) -> String {
        names[number] ?? "0x" + String(repeating: "0", count: 4 - hex(number).count) + hex(number)
    }

    private static func hex(_ number: UInt16) -> String { String(number, radix: 16, uppercase: true) }

    private static let names: [UInt16: String] = [
        0x002F: "TLS_RSA_WITH_AES_128_CBC_SHA",
        0x0035: "TLS_RSA_WITH_AES_256_CBC_SHA",
        0x008C: "TLS_PSK_WITH_AES_128_CBC_SHA",
        0x008D: "TLS_PSK_WITH_AES_256_CBC_SHA",
        0x009C: "TLS_RSA_WITH_AES_128_GCM_SHA256",
        0x009D: "TLS_RSA_WITH_AES_256_GCM_SHA384",
        0x1301: "TLS_AES_128_GCM_SHA256",
        0x1302: "TLS_AES_256_GCM_SHA384",
        0x1303: "TLS_CHACHA20_POLY1305_SHA256",
        0xC009: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
        0xC00A: "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
        0xC013: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
        0xC014: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
        0xC02B: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        0xC02C: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        0xC02F: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        0xC030: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        0xC035: "TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA",
        0xC036: "TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA",
        0xCCA8: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        0xCCA9: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        0xCCAC: "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256",
    ]
}
#endif
