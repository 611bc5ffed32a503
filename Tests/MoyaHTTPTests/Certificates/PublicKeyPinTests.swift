import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

@Suite("A public key pin is read in each common notation")
struct PublicKeyPinTests {
    /// The SHA-256 hash of empty input.
    private static let base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test(
        "a public key pin is read in each notation",
        arguments: [
            base64, "sha256/\(base64)", "SHA256/\(base64)", "pin-sha256=\"\(base64)\"", "Pin-SHA256=\"\(base64)\"",
            "pin-sha256=\(base64)", " sha256/\(base64) ",
        ]
    )
    func forms(_ text: String) throws {
        let pin = try PublicKeyPin(text)
        #expect(pin.description == "sha256/\(Self.base64)")
        #expect(pin == PublicKeyPin(subjectPublicKeyInfo: Data()))
    }

    @Test(
        "text that is not a public key pin is rejected",
        arguments: [
            "", "sha256/", "sha1/\(base64)", "sha256/\(base64)x", "sha256/AAAA", "pin-sha256=\"\"", "\"\(base64)\"",
            String(base64.dropLast()), "sha256/\(base64)\(base64)", "pin-sha256=\"\(base64)",
        ]
    )
    func malformed(_ text: String) {
        #expect(throws: CertificateError.malformedPin(text)) { try PublicKeyPin(text) }
        #expect(throws: CertificateError.malformedPin(text)) { try PublicKeysTrustEvaluator(hashes: [text]) }
    }

    @Test("RFC 7469, section 2.1: the pins of a Public-Key-Pins header are read, and other directives are skipped")
    func header() throws {
        let other = Data(repeating: 7, count: 32).base64EncodedString()
        let value = "max-age=3000; pin-sha256=\"\(Self.base64)\";pin-sha256=\"\(other)\"; includeSubDomains"
        #expect(try PublicKeyPin.pins(inHeader: value) == [PublicKeyPin(Self.base64), PublicKeyPin(other)])
        #expect(throws: CertificateError.malformedPin("max-age=3000")) {
            try PublicKeyPin.pins(inHeader: "max-age=3000")
        }
        #expect(throws: CertificateError.self) { try PublicKeyPin.pins(inHeader: "pin-sha256=\"x\"; max-age=1") }
    }
}
