import Foundation
import MoyaHTTP

/// Says which values must not get into a file, or onto a screen: they are replaced by `***`.
///
/// Always masked are the credentials of `Authorization` and `Proxy-Authorization` (their scheme stays), the values of all
/// cookies (their names and attributes stay), and user name and password in URLs: what loggers mask. Besides those,
/// values by name: of headers, parameters of queries, fields of forms, and members of JSON objects at any depth.
public struct HARSecrets: Hashable, Sendable {
    /// Masks what is always masked, and ``commonNames``.
    public static let standard = HARSecrets()

    /// Masks nothing: for files that you keep for yourself.
    public static let none = HARSecrets(isOff: true, names: [])

    /// What stands in place of a masked value.
    public static let placeholder = SecretMask.placeholder

    /// Names under which APIs hand over credentials: the parameters of OAuth 2 (RFC 6749), passwords, API keys, and the
    /// parts of signed URLs.
    public static let commonNames: Set<String> = [
        "access_token", "refresh_token", "id_token", "client_secret", "client_assertion", "code_verifier", "assertion",
        "password", "passwd", "api_key", "apikey", "x-api-key", "x-auth-token", "x-csrf-token", "x-xsrf-token",
        "x-amz-security-token", "x-amz-signature", "x-amz-credential", "x-goog-signature", "x-goog-credential",
        "x-goog-api-key",
    ]

    /// In lower case.
    let names: Set<String>
    let isOff: Bool

    /// Masks the values of these names beside what is always masked, whatever the case of the names.
    ///
    /// - Parameters:
    ///   - names: The application's own: `["X-Session", "pin"]`.
    ///   - includesCommonNames: Whether ``commonNames`` are masked, too.
    public init(names: Set<String> = [], includesCommonNames: Bool = true) {
        self.init(isOff: false, names: includesCommonNames ? names.union(Self.commonNames) : names)
    }

    private init(isOff: Bool, names: Set<String>) {
        self.isOff = isOff
        self.names = Set(names.map { $0.lowercased() })
    }

    var mask: SecretMask { isOff ? .none : SecretMask(names: names) }

    package func hides(_ name: String) -> Bool { !isOff && names.contains(name.lowercased()) }
}
