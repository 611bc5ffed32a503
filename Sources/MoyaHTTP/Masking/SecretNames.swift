/// The names whose values are secret, compared by segments and ignoring case, `_`, `-` and spaces.
///
/// `user[accessToken]`, `ACCESS-TOKEN` and `a.access_token` all match the name `access_token`.
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

    /// Common names of credentials: the parameters of OAuth 2 (RFC 6749), passwords, tokens, API keys, and the
    /// parameters of signed URLs.
    package static let common: Set<String> = [
        "access_token", "refresh_token", "id_token", "auth_token", "session_token", "security_token", "bearer_token",
        "csrf_token", "xsrf_token", "token", "jwt", "secret", "client_secret", "client_assertion", "code_verifier",
        "assertion", "device_code", "password", "passwd", "pwd", "passphrase", "new_password", "old_password",
        "current_password", "password_confirmation", "confirm_password", "user_password", "api_key", "x-api-key",
        "api_secret", "api_token", "secret_key", "private_key", "secret_access_key", "aws_secret_access_key",
        "session_id", "jsessionid", "phpsessid", "authorization", "proxy-authorization", "x-auth-token", "x-csrf-token",
        "x-xsrf-token", "x-amz-security-token", "x-amz-signature", "x-amz-credential", "x-goog-signature",
        "x-goog-credential", "x-goog-api-key",
    ]

    /// The suffixes of headers with credentials, such as `X-Vault-Token` or `Ocp-Apim-Subscription-Key`.
    private static let headerEndings = [
        "token", "secret", "password", "apikey", "accesskey", "secretkey", "privatekey", "subscriptionkey",
        "authorization", "signature", "sessionid", "jwt",
    ]
    /// The suffixes of headers that match `headerEndings`, but contain the position in a list.
    private static let positionEndings = ["pagetoken", "nexttoken", "continuationtoken", "synctoken"]
    private static let normalizedCommon = Set(common.map(normalized))

    private let names: Set<String>
    private let includesCommon: Bool

    package init(_ names: Set<String> = [], includesCommon: Bool = true) {
        self.names = Set(names.map(Self.normalized))
        self.includesCommon = includesCommon
    }

    package var isEmpty: Bool { names.isEmpty && !includesCommon }

    /// Returns whether the value with this name is secret.
    package func hides(_ name: String, in place: Place = .other) -> Bool {
        // A header name cannot contain a space.
        if place == .header, name.utf8.contains(0x20) { return false }
        let name = Self.normalized(name)
        guard !name.isEmpty else { return false }
        if contains(name) { return true }
        if includesCommon {
            if place == .query, name == "code" { return true }
            if place == .header, Self.headerEndings.contains(where: name.hasSuffix),
                !Self.positionEndings.contains(where: name.hasSuffix)
            {
                return true
            }
        }
        guard name.utf8.contains(where: Self.isSeparator) else { return false }
        return name.utf8.split(whereSeparator: Self.isSeparator).contains { contains(String($0) ?? "") }
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
