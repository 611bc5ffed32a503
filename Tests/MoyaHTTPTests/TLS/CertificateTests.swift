import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A certificate's key and names are found, and hostile bytes are no certificate")
struct CertificateTests {
    @Test("the key's pin is the SHA-256 of the SubjectPublicKeyInfo, whatever else the certificate has")
    func pin() throws {
        let authority = try TestAuthority()
        let key = TestKey()
        let plain = try Certificate(der: authority.issue(names: [], addresses: [], key: key).certificate)
        let named = try Certificate(der: authority.issue(names: ["a.example"], key: key).certificate)
        #expect(plain != named)
        #expect(plain.publicKeyPin == named.publicKeyPin)
        #expect(plain.publicKeyPin == (try PublicKeyPin(key.pin)))
        #expect("\(named)" == "Certificate(sha256/\(key.pin), a.example, 127.0.0.1)")
    }

    @Test("a slice of data, whose indices don't begin at zero, is read as any other")
    func slice() throws {
        let der = try TestAuthority().issue().certificate
        let slice = (Data(count: 7) + der).dropFirst(7)
        #expect(try Certificate(der: slice) == Certificate(der: der))
    }

    @Test("one, two or more certificates of a PEM text, with text around them and lines of any kind")
    func pem() throws {
        let identity = try TestAuthority().issue()
        let expected = try ([identity.certificate] + identity.issuers).map { try Certificate(der: $0) }
        #expect(try Certificate.certificates(pem: identity.pem) == expected)
        let odd = "Bag Attributes\n\(identity.key.pem)\n" + identity.pem.replacingOccurrences(of: "\n", with: " \r\n")
        #expect(try Certificate.certificates(pem: odd) == expected)
    }

    @Test(
        "damaged PEM is refused",
        arguments: [
            ("", CertificateError.noCertificateInPEM), ("no certificate", .noCertificateInPEM),
            ("-----BEGIN CERTIFICATE-----\nMAA=\n", .malformedPEM),
            ("-----BEGIN CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\n", .malformedPEM),
            ("-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----", .malformedPEM),
            ("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----", .malformedPEM),
            ("-----END CERTIFICATE-----", .malformedPEM),
            ("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----", .notDER),
        ]
    )
    func damagedPEM(_ text: String, _ expected: CertificateError) {
        let error = #expect(throws: CertificateError.self) { try Certificate.certificates(pem: text) }
        #expect(error == expected)
    }

    @Test("files in DER and in PEM, and a file that is not there")
    func files() throws {
        let identity = try TestAuthority().issue()
        let folder = try TemporaryFolder()
        try identity.certificate.write(to: folder.file("a.der"))
        try folder.write(identity.pem, to: "a.pem")
        let certificate = try Certificate(der: identity.certificate)
        #expect(try Certificate.certificates(contentsOf: folder.file("a.der")) == [certificate])
        #expect(try Certificate.certificates(contentsOf: folder.file("a.pem")).first == certificate)
        let missing = folder.file("missing.pem")
        #expect(throws: CertificateError.unreadableFile(path: missing.path)) {
            try Certificate.certificates(contentsOf: missing)
        }
    }

    @Test("no part of a certificate is one, nor is one with bytes after it")
    func truncated() throws {
        let der = try TestAuthority().issue().certificate
        for length in 0..<der.count {
            #expect(throws: CertificateError.notDER) { try Certificate(der: der.prefix(length)) }
        }
        #expect(throws: CertificateError.notDER) { try Certificate(der: der + [0]) }
    }

    @Test("no changed byte ends the process, and what is still read has lengths that fit")
    func changed() throws {
        let der = try TestAuthority().issue(names: ["a.example", "*.b.example"]).certificate
        for index in der.indices {
            for value: UInt8 in [0, 1, 0x1F, 0x30, 0x7F, 0x80, 0x84, 0x85, 0xFF] {
                var copy = der
                copy[index] = value
                guard let certificate = try? Certificate(der: copy) else { continue }
                #expect(certificate.fields.subjectPublicKeyInfo.count < der.count)
            }
        }
    }

    @Test(
        "lengths that are not DER",
        arguments: [
            [0x30], [0x30, 0x80, 0, 0], [0x30, 0x81, 0x05, 0, 0, 0, 0, 0], [0x30, 0x82, 0x00, 0x80],
            [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x3F, 0x01, 0x00], [0x30, 0x02, 0x00], [0x30, 0xFF],
        ] as [[UInt8]]
    )
    func lengths(_ bytes: [UInt8]) {
        var reader = DERReader(Data(bytes))
        #expect(throws: DERReader.Malformed.self) { try reader.next() }
    }
}
