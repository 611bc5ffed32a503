/// The names whose values are secret.
///
/// A name is secret if it is one of the ``common`` names or of the names of the application. The segments of names are compared,
/// ignoring case, `_`, `-` and spaces: `user[accessToken]`, `ACCESS-TOKEN` and `a.access_token` all match the name `access_token`.
/// The words of a name can also make it secret: see ``SecretWords``.
package struct SecretNames: Hashable, Sendable {
    /// The location of a name.
    package enum Place: Sendable {
        /// The query or fragment of a URL, or a form, where `code` is OAuth's authorization code (RFC 6749, section
        /// 4.1.2).
        case query
        case header
        /// A JSON member, an XML element, a part of a multipart form, or text.
        case other
    }

    /// Common names of credentials: the parameters of OAuth (RFC 5849 and RFC 6749), passwords, tokens, API keys, and the
    /// parameters of signed URLs.
    package static let common: Set<String> = [
        "access_token", "refresh_token", "id_token", "auth_token", "session_token", "security_token", "bearer_token",
        "csrf_token", "xsrf_token", "token", "jwt", "secret", "client_secret", "client_assertion", "code_verifier",
        "assertion", "device_code", "password", "passwd", "pwd", "passphrase", "new_password", "old_password",
        "current_password", "password_confirmation", "confirm_password", "user_password", "api_key", "x-api-key",
        "api_secret", "api_token", "secret_key", "private_key", "secret_access_key", "aws_secret_access_key",
        "session_id", "jsessionid", "phpsessid", "authorization", "proxy-authorization", "x-auth-token", "x-csrf-token",
        "x-xsrf-token", "x-amz-security-token", "x-amz-signature", "x-amz-credential", "x-goog-signature",
        "x-goog-credential", "x-goog-api-key", "x-oss-signature", "x-oss-credential", "x-oss-security-token",
        // The following names contain no secret word.
        "dpop", "saml_response", "saml_art", "wresult", "oauth_verifier", "google_access_id", "q_ak", "mfa_code",
        "two_factor_code", "verification_code", "recovery_code", "backup_code", "pin_number", "pin_code",
        "password_hint", "cvc", "pass", "pw", "bearer", "tok", "csrf", "xsrf", "skey", "sas", "shared_access_signature",
        "id_token_hint",
    ]

    private static let normalizedCommon = Set(common.map(normalized))
    /// Names that are secret only in queries and forms, because they have other meanings elsewhere: OAuth's code, signatures, and
    /// CAS's ticket.
    private static let inQueries: Set<String> = ["code", "sign", "ticket"]
    private static let signatures: Set<String> = ["sig", "sign", "hmac"]
    /// The names of keys and policies of signed URLs, which have other meanings elsewhere.
    private static let namesBesideSignatures: Set<String> = ["key", "policy"]

    private let names: Set<String>
    private let includesCommon: Bool

    package init(_ names: Set<String> = [], includesCommon: Bool = true) {
        self.names = Set(names.map(Self.normalized))
        self.includesCommon = includesCommon
    }

    package var isEmpty: Bool { names.isEmpty && !includesCommon }

    /// Returns whether the value with this name is secret.
    package func isSecret(_ name: String, in place: Place = .other) -> Bool {
        // A header name cannot contain a space.
        if place == .header, name.utf8.contains(0x20) { return false }
        let normalized = Self.normalized(name)
        guard !normalized.isEmpty else { return false }
        if contains(normalized) { return true }
        if includesCommon {
            switch place {
            case .query where Self.inQueries.contains(normalized): return true
            case .header where normalized == "key" || SecretWords.isHeaderEnding(of: normalized): return true
            default: break
            }
            if SecretWords.isSecret(name) { return true }
        }
        guard normalized.utf8.contains(where: Self.isSeparator) else { return false }
        return normalized.utf8.split(whereSeparator: Self.isSeparator).contains { contains(String($0) ?? "") }
    }

    /// Returns whether a query parameter with an ambiguous name has a secret value.
    ///
    /// The value of `key` or `policy` is secret in a signed URL, such as one of Google or CloudFront, and the value of `key` is also
    /// secret if it looks like an API key. The value is read only if the name requires it.
    package func isSecret(
        _ name: String,
        value: @autoclosure () -> ArraySlice<UInt8>,
        isSigned: @autoclosure () -> Bool
    ) -> Bool {
        guard includesCommon else { return false }
        let name = Self.normalized(name)
        return Self.namesBesideSignatures.contains(name) && (name == "key" && Self.isKey(value()) || isSigned())
    }

    /// Returns whether a query parameter is a signature.
    package func isSignature(_ name: String) -> Bool {
        let name = Self.normalized(name)
        return Self.signatures.contains(name) || name.hasSuffix("signature")
    }

    /// Returns whether bytes, in which other values may follow the first one, begin with a long random word, like an API key.
    private static func isKey(_ value: ArraySlice<UInt8>) -> Bool {
        let word = value.prefix(64).prefix {
            $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        return word.count >= 20 && word.contains(where: \.isDigit) && word.contains(where: \.isLetter)
    }

    private func contains(_ name: String) -> Bool {
        names.contains(name) || includesCommon && Self.normalizedCommon.contains(name)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "."), UInt8(ascii: ":"): true
        default: false
        }
    }

    /// Returns the name in lowercase, without `_`, `-`, whitespace, control characters and byte order marks.
    private static func normalized(_ name: String) -> String {
        var text = name
        let isASCII = text.withUTF8 { $0.allSatisfy { $0 < 0x80 } }
        if !isASCII { text = text.lowercased().replacing("\u{FEFF}", with: "") }
        return String(
            decoding: text.utf8.compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "_"), UInt8(ascii: "-"), 0...0x20, 0x7F: nil
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                default: byte
                }
            },
            as: UTF8.self
        )
    }
}
