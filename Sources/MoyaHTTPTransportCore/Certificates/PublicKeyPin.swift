import Foundation

/// The SHA-256 hash of a SubjectPublicKeyInfo, which identifies the public key of a server (RFC 7469, section 2.4).
///
/// A pin remains valid for a new certificate with the same key. This command creates the pin of a certificate:
///
///     openssl x509 -in server.pem -noout -pubkey | openssl pkey -pubin -outform der |
///         openssl dgst -sha256 -binary | base64
public struct PublicKeyPin: Hashable, Sendable {
    /// The 32 bytes of the hash.
    public let sha256: Data

    /// Creates a pin from text: `sha256/…`, `pin-sha256="…"` as in HPKP, or Base64 only.
    ///
    /// - Throws: ``CertificateError/malformedPin(_:)``.
    public init(_ text: String) throws(CertificateError) {
        var base64 = Substring(text.trimmingCharacters(in: .whitespaces))
        if let rest = base64.dropping(prefix: "sha256/") {
            base64 = rest
        } else if let rest = base64.dropping(prefix: "pin-sha256=") {
            // RFC 7469 requires a quoted string, but some tools write a token.
            base64 = rest.count >= 2 && rest.first == "\"" && rest.last == "\"" ? rest.dropFirst().dropLast() : rest
        }
        guard let hash = Data(base64Encoded: String(base64)), hash.count == SHA256.byteCount else {
            throw .malformedPin(text)
        }
        sha256 = hash
    }

    /// Returns the pins in the value of a `Public-Key-Pins` header; other directives are ignored.
    ///
    /// - Throws: ``CertificateError/malformedPin(_:)``, also if there are no pins.
    public static func pins(inHeader value: String) throws(CertificateError) -> Set<PublicKeyPin> {
        var pins: Set<PublicKeyPin> = []
        for directive in value.split(separator: ";") {
            let directive = directive.trimmingCharacters(in: .whitespaces)
            guard Substring(directive).dropping(prefix: "pin-sha256=") != nil else { continue }
            pins.insert(try PublicKeyPin(directive))
        }
        guard !pins.isEmpty else { throw .malformedPin(value) }
        return pins
    }

    init(subjectPublicKeyInfo: Data) { sha256 = Data(SHA256.hash(subjectPublicKeyInfo)) }
}

extension PublicKeyPin: CustomStringConvertible {
    /// The text `sha256/` followed by the hash in Base64.
    public var description: String { "sha256/\(sha256.base64EncodedString())" }
}

extension Substring {
    /// Returns the text after a prefix, which must be given in lowercase and is matched ignoring case; `nil` without the prefix.
    fileprivate func dropping(prefix: String) -> Substring? {
        self.prefix(prefix.count).lowercased() == prefix ? dropFirst(prefix.count) : nil
    }
}
