import Foundation

/// The SHA-256 of a public key's SubjectPublicKeyInfo, by which a server's key is recognised (RFC 7469, section 2.4).
///
/// A pin survives a new certificate for the same key. To make one:
///
///     openssl x509 -in server.pem -noout -pubkey | openssl pkey -pubin -outform der |
///         openssl dgst -sha256 -binary | base64
public struct PublicKeyPin: Hashable, Sendable {
    /// The hash's 32 bytes.
    public let sha256: Data

    /// Takes a pin as it is written: `sha256/…`, `pin-sha256="…"` as in HPKP's header, or the Base64 alone.
    ///
    /// - Throws: ``CertificateError/malformedPin(_:)``.
    public init(_ text: String) throws(CertificateError) {
        var base64 = Substring(text.trimmingCharacters(in: .whitespaces))
        if let rest = base64.dropping(prefix: "sha256/") {
            base64 = rest
        } else if let rest = base64.dropping(prefix: "pin-sha256=") {
            // RFC 7469 wants a quoted string; some tools write a token.
            base64 = rest.count >= 2 && rest.first == "\"" && rest.last == "\"" ? rest.dropFirst().dropLast() : rest
        }
        guard let hash = Data(base64Encoded: String(base64)), hash.count == SHA256.byteCount else {
            throw .malformedPin(text)
        }
        sha256 = hash
    }

    /// Takes the pins out of the value of a `Public-Key-Pins` header, whose other directives are stepped over.
    ///
    /// - Throws: ``CertificateError/malformedPin(_:)``, also where there is none.
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
    /// `sha256/` and the hash in Base64.
    public var description: String { "sha256/\(sha256.base64EncodedString())" }
}

extension Substring {
    /// What follows a prefix, in whatever case that is written.
    fileprivate func dropping(prefix: String) -> Substring? {
        self.prefix(prefix.count).lowercased() == prefix ? dropFirst(prefix.count) : nil
    }
}
