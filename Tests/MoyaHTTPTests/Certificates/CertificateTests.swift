import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

@Suite("The key and the names of a certificate are found, and hostile bytes are rejected")
struct CertificateTests {
    @Test("the pin of a certificate is the SHA-256 of the SubjectPublicKeyInfo, and no other field changes the pin")
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

    @Test("a certificate has the subject, the issuer and the dates that its authority has written")
    func text() throws {
        let authority = try TestAuthority(name: "Own")
        let leaf = try Certificate(der: authority.issue(validity: .past, commonName: "Ash\u{202E}\n\"").certificate)
        #expect(leaf.subject == "CN=Ash\"" && leaf.issuer == "CN=Own Intermediate" && !leaf.isSelfIssued)
        let day: TimeInterval = 86_400
        #expect(abs(try #require(leaf.notAfter).timeIntervalSinceNow + day) < 3_600)
        #expect(abs(try #require(leaf.notBefore).timeIntervalSinceNow + 3 * day) < 3_600)
        let root = try Certificate(der: authority.root)
        #expect(root.isSelfIssued && root.subject == "CN=Own Root" && root.issuer == root.subject)
    }

    @Test(
        "dates of both types in a certificate are read, and invalid dates are omitted",
        arguments: [
            (0x17, "700101000000Z", 0), (0x17, "491231235959Z", 2_524_607_999), (0x17, "500101000000Z", -631_152_000),
            (0x18, "20500101000000Z", 2_524_608_000), (0x18, "00010101000000Z", -62_135_596_800),
            (0x18, "99991231235959Z", 253_402_300_799), (0x17, "240229120000Z", 1_709_208_000),
            (0x17, "230229120000Z", nil), (0x17, "701301000000Z", nil), (0x17, "700101240000Z", nil),
            (0x17, "700101006000Z", nil), (0x17, "700100000000Z", nil), (0x17, "7001010000Z", nil),
            (0x17, "700101000000+0000", nil), (0x18, "700101000000Z", nil), (0x17, "", nil),
            (0x04, "700101000000Z", nil),
        ] as [(UInt8, String, TimeInterval?)]
    )
    func dates(_ tag: UInt8, _ text: String, _ expected: TimeInterval?) throws {
        let date = [tag, UInt8(text.utf8.count)] + Array(text.utf8)
        let certificate = try fields(validity: [0x30, UInt8(2 * date.count)] + date + date)
        #expect(certificate.notBefore?.timeIntervalSince1970 == expected)
        #expect(certificate.notAfter?.timeIntervalSince1970 == expected)
    }

    @Test("names in a certificate with several attributes and string types are read, and malformed parts are omitted")
    func names() throws {
        func attribute(_ identifier: UInt8, _ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
            let pair = [6, 3, 0x55, 4, identifier, tag, UInt8(value.count)] + value
            return [0x31, UInt8(pair.count + 2), 0x30, UInt8(pair.count)] + pair
        }
        func name(_ sets: [UInt8]...) -> [UInt8] { [0x30, UInt8(sets.joined().count)] + sets.joined() }
        let full = name(
            attribute(6, 0x13, Array("DE".utf8)),
            attribute(10, 0x0C, Array("Käse".utf8)),
            attribute(0x2E, 0x13, [0x41]),
            attribute(3, 0x1E, [0, 0x41, 0x20, 0xAC, 0])
        )
        #expect(try fields(subject: full).subject == "CN=A€, O=Käse, C=DE")
        #expect(try fields(subject: name([0x31, 3, 0x30, 9, 6])).subject == "")
        #expect(
            try fields(subject: name([0x31, 2, 0x30, 0], attribute(3, 0x0C, [0xFF, 7, 0x41]))).subject == "CN=\u{FFFD}A"
        )
        let long = attribute(3, 0x0C, Array(repeating: 0x41, count: 110))
        #expect(try fields(subject: name(long)).subject == "CN=" + String(repeating: "A", count: 100))
    }

    private func fields(
        subject: [UInt8] = [0x30, 0],
        validity: [UInt8] = [0x30, 0]
    ) throws -> CertificateText {
        func element(_ bytes: [UInt8]) throws -> DERReader.Element {
            var reader = DERReader(Data(bytes))
            return try reader.next()
        }
        return CertificateText(
            subject: try element(subject),
            issuer: try element([0x30, 0]),
            validity: try element(validity)
        )
    }

    @Test("a certificate is read from a slice of data whose indices do not begin at zero")
    func slice() throws {
        let der = try TestAuthority().issue().certificate
        let slice = (Data(count: 7) + der).dropFirst(7)
        #expect(try Certificate(der: slice) == Certificate(der: der))
    }

    @Test("one or more certificates are read from a PEM text with surrounding text and any line ends")
    func pem() throws {
        let identity = try TestAuthority().issue()
        let expected = try ([identity.certificate] + identity.issuers).map { try Certificate(der: $0) }
        #expect(try Certificate.certificates(pem: identity.pem) == expected)
        let odd = "Bag Attributes\n\(identity.key.pem)\n" + identity.pem.replacingOccurrences(of: "\n", with: " \r\n")
        #expect(try Certificate.certificates(pem: odd) == expected)
    }

    @Test(
        "a damaged PEM text of a certificate is refused",
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

    @Test("certificate files in DER and in PEM are read, and a missing file is an error")
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

    @Test("a certificate that is cut, or has trailing bytes, is rejected")
    func truncated() throws {
        let der = try TestAuthority().issue().certificate
        for length in 0..<der.count {
            #expect(throws: CertificateError.notDER) { try Certificate(der: der.prefix(length)) }
        }
        #expect(throws: CertificateError.notDER) { try Certificate(der: der + [0]) }
    }

    @Test(
        "a changed byte of a certificate never crashes the process, and a key that is still read is shorter than its certificate"
    )
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
        "elements of a certificate that are not DER are rejected",
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
