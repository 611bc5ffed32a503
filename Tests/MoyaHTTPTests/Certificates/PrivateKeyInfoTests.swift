import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

#if NIO && !canImport(Darwin)
import NIOSSL
#endif

@Suite("A private key is converted to PKCS#8 from each format in which keys are stored")
struct PrivateKeyInfoTests {
    private static func der(_ pem: String) -> Data {
        let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        return Data(base64Encoded: lines.joined()) ?? Data()
    }

    private static func certificate(_ pem: String) throws -> Certificate {
        try #require(try Certificate.certificates(pem: pem).first)
    }

    @Test("an RSA key in PKCS#1 or PKCS#8, PEM or DER, is converted")
    func rsa() throws {
        let key = try PrivateKeyInfo(pem: KeyFixtures.rsa)
        #expect(key.der == Self.der(KeyFixtures.rsa))
        #expect(try PrivateKeyInfo(pem: KeyFixtures.rsaPKCS1) == key)
        #expect(try PrivateKeyInfo(der: key.der) == key)
        #expect(try PrivateKeyInfo(der: Self.der(KeyFixtures.rsaPKCS1)) == key)
    }

    @Test("an EC key in SEC 1 or PKCS#8, PEM or DER, is converted")
    func ec() throws {
        let key = try PrivateKeyInfo(pem: KeyFixtures.ec)
        #expect(key.der == Self.der(KeyFixtures.ec))
        #expect(try PrivateKeyInfo(der: key.der) == key)
        let sec1 = try PrivateKeyInfo(pem: KeyFixtures.ecSEC1)
        #expect(try PrivateKeyInfo(der: Self.der(KeyFixtures.ecSEC1)) == sec1)
        #if NIO && !canImport(Darwin)
        let expected = try NIOSSLPrivateKey(bytes: Array(KeyFixtures.ec.utf8), format: .pem)
        #expect(try NIOSSLPrivateKey(bytes: Array(sec1.der), format: .der) == expected)
        #endif
    }

    @Test("a private key among other blocks and texts, with any line ends, is converted")
    func surroundings() throws {
        let key = try PrivateKeyInfo(pem: KeyFixtures.ec)
        let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
        let text =
            "Subject: CN=a\n" + KeyFixtures.ecCertificate + "\n" + parameters + KeyFixtures.ec + "\n" + KeyFixtures.rsa
        #expect(try PrivateKeyInfo(pem: text) == key)
        #expect(try PrivateKeyInfo(pem: text.replacing("\n", with: "\r\n")) == key)
    }

    @Test("a private key is compared with the key of its certificate")
    func matching() throws {
        let (rsa, ec) = (
            try Self.certificate(KeyFixtures.rsaCertificate), try Self.certificate(KeyFixtures.ecCertificate)
        )
        for pem in [KeyFixtures.rsa, KeyFixtures.rsaPKCS1] {
            let key = try PrivateKeyInfo(pem: pem)
            #expect(key.matches(rsa) == true)
            #expect(key.matches(ec) == false)
        }
        for pem in [KeyFixtures.ec, KeyFixtures.ecSEC1] {
            let key = try PrivateKeyInfo(pem: pem)
            #expect(key.matches(ec) == true)
            #expect(key.matches(rsa) == false)
        }
        // An EC key may lack its public key.
        let short = DERWriter.sequence(
            DERWriter.integer(1),
            DERWriter.octets(Data(repeating: 7, count: 32)),
            DERWriter.tagged(0, DERWriter.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]))
        )
        #expect(try PrivateKeyInfo(der: short).matches(ec) == nil)
    }

    static let refused: [(String, PrivateKeyInfo.Failure)] = [
        ("", .malformed),
        (KeyFixtures.ecCertificate, .malformed),
        (KeyFixtures.encrypted, .encrypted),
        (String(decoding: PKCS12.encryptedKey, as: UTF8.self), .encrypted),
        (KeyFixtures.ed25519, .unsupportedKind),
        ("-----BEGIN PRIVATE KEY-----\n", .malformed),
        ("-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----", .malformed),
        ("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", .malformed),
        ("-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----", .malformed),
    ]

    @Test("an encrypted or damaged key, or a key of another kind, is refused", arguments: refused)
    func refusing(_ pem: String, _ failure: PrivateKeyInfo.Failure) {
        #expect(throws: failure) { try PrivateKeyInfo(pem: pem) }
    }

    @Test("an encrypted key in DER is recognized as encrypted")
    func encryptedDER() {
        #expect(throws: PrivateKeyInfo.Failure.encrypted) { try PrivateKeyInfo(der: Self.der(KeyFixtures.encrypted)) }
    }

    @Test(
        "a truncated private key is refused, and a changed key does not crash the process",
        arguments: [KeyFixtures.rsaPKCS1, KeyFixtures.ec, KeyFixtures.ecSEC1]
    )
    func damage(_ pem: String) throws {
        let (der, certificate) = (Self.der(pem), try Self.certificate(KeyFixtures.ecCertificate))
        for length in der.indices {
            #expect(throws: PrivateKeyInfo.Failure.self) { try PrivateKeyInfo(der: der.prefix(length)) }
        }
        for index in der.indices {
            for byte: UInt8 in [0x00, 0x02, 0x30, 0x7F, 0x80, 0x84, 0xFF] {
                var damaged = der
                damaged[index] = byte
                _ = (try? PrivateKeyInfo(der: damaged))?.matches(certificate)
            }
        }
    }
}
