import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore
@testable import MoyaURLSessionTransport

@Suite("A client identity becomes an archive for a transport that accepts only PKCS#12")
struct ClientIdentityArchiveTests {
    /// A writer that does not encrypt, so that the archive contains the plain bytes.
    private static let writer = PKCS12Writer(
        sha1: { _ in Array(repeating: 7, count: 20) },
        encrypt: { data, _, _ in data }
    )

    private func archive(
        _ identity: ClientIdentity,
        by writer: PKCS12Writer = writer
    ) throws(TransportConfigurationError) -> (data: Data, passphrase: String) {
        try identity.archive(by: writer, for: "T")
    }

    @Test("an identity's archive and its passphrase are used unchanged")
    func unchanged() throws {
        let given = try archive(ClientIdentity(pkcs12: PKCS12.archive, passphrase: "secret"))
        #expect(given.data == PKCS12.archive)
        #expect(given.passphrase == "secret")
        #expect(try archive(ClientIdentity(pkcs12: PKCS12.archive, passphrase: nil)).passphrase.isEmpty)
    }

    @Test("a certificate and its key are written into an archive, with a new passphrase each time")
    func written() throws {
        let chain = KeyFixtures.ecCertificate + "\n" + KeyFixtures.rsaCertificate
        let identity = try ClientIdentity(certificatePEM: chain, privateKeyPEM: KeyFixtures.ec)
        let (one, other) = (try archive(identity), try archive(identity))
        #expect(one.passphrase.count >= 32)
        #expect(one.passphrase != other.passphrase)
        #expect(one.data != other.data)
        for part in try Certificate.certificates(pem: chain).map(\.der) + [try PrivateKeyInfo(pem: KeyFixtures.ec).der]
        {
            #expect(one.data.range(of: part) != nil)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: Data
        var format = ClientIdentity.KeyFormat.pem
        var certificate: String? = KeyFixtures.ecCertificate
        let isInvalid: Bool
        let text: String
    }

    static let refused: [Row] = [
        Row(testDescription: "damaged", key: Data("secret".utf8), isInvalid: true, text: "damaged"),
        Row(testDescription: "not UTF-8", key: Data([0xFF, 0x00]), isInvalid: true, text: "damaged"),
        Row(testDescription: "DER", key: Data("secret".utf8), format: .der, isInvalid: true, text: "damaged"),
        Row(testDescription: "another", key: Data(KeyFixtures.rsa.utf8), isInvalid: true, text: "does not belong"),
        Row(
            testDescription: "alone",
            key: Data(KeyFixtures.ec.utf8),
            certificate: nil,
            isInvalid: true,
            text: "missing"
        ),
        Row(testDescription: "encrypted", key: PKCS12.encryptedKey, isInvalid: false, text: "Decrypt the key"),
        Row(testDescription: "Ed25519", key: Data(KeyFixtures.ed25519.utf8), isInvalid: false, text: "RSA keys and EC"),
    ]

    @Test(
        "a key that cannot be written into an archive is refused with a reason that does not reveal the key",
        arguments: refused
    )
    func refusing(_ row: Row) throws {
        let certificates = try row.certificate.map { try Certificate.certificates(pem: $0) } ?? []
        let identity = ClientIdentity(
            certificates: certificates,
            privateKey: row.key,
            format: row.format,
            passphrase: PKCS12.passphrase
        )
        let error = #expect(throws: TransportConfigurationError.self) { try archive(identity) }
        let text = try #require(error?.localizedDescription)
        #expect(text.contains(row.text))
        #expect(!text.contains("secret") && !text.contains(PKCS12.passphrase))
        if case .invalid = error { #expect(row.isInvalid) } else { #expect(!row.isInvalid) }
    }

    @Test("a failed encryption of an archive is an error")
    func failedEncryption() throws {
        let identity = try ClientIdentity(certificatePEM: KeyFixtures.ecCertificate, privateKeyPEM: KeyFixtures.ec)
        var writer = Self.writer
        writer.encrypt = { _, _, _ in nil }
        #expect(throws: TransportConfigurationError.self) { try archive(identity, by: writer) }
    }

    // MARK: The statuses of Security

    @Test(
        "each error status of Security has a text",
        arguments: [
            -25293: "another passphrase", -25264: "another passphrase", -25260: "needs a passphrase",
            -26275: "not a PKCS#12 archive", -25257: "not a PKCS#12 archive", -25256: "format",
            -25299: "Remove the key",
            -25308: "locked", -25315: "locked", -128: "refused", -25307: "default keychain", -34018: "entitlement",
            0: "no certificate with its private key", -50: "-50", 12345: "12345",
        ] as [Int32: String]
    )
    func statuses(_ code: Int32, _ text: String) {
        #expect(PKCS12ImportStatus(code, archive: Data()).text.contains(text))
    }

    @Test("the text for an archive of OpenSSL 3 names its algorithms if they can be the reason for the error")
    func newerAlgorithms() throws {
        for code: Int32 in [-25293, -25264, -26275, -25256] {
            #expect(PKCS12ImportStatus(code, archive: PKCS12.archive).text.contains("-legacy"))
        }
        for code: Int32 in [0, -25299, -25308, -128, -50] {
            #expect(!PKCS12ImportStatus(code, archive: PKCS12.archive).text.contains("-legacy"))
        }
        let identity = try ClientIdentity(certificatePEM: KeyFixtures.ecCertificate, privateKeyPEM: KeyFixtures.ec)
        let older = try archive(identity).data
        #expect(!PKCS12ImportStatus(-25293, archive: older).text.contains("-legacy"))
        #expect(!PKCS12ImportStatus(-25293, archive: Data()).text.contains("-legacy"))
    }
}
