import Foundation
import MoyaHTTP

/// A selection of the values that files and descriptions replace with `***`.
///
/// The credentials of `Authorization` and `Proxy-Authorization` (except their scheme), the values of all cookies
/// (except their names and attributes), and user names and passwords in URLs are always masked. Other values are
/// masked by name: headers, query parameters, form fields and parts, and members of JSON objects at any depth.
///
/// Names are compared segment by segment, ignoring case, `_` and `-`: `accessToken` and `user[access_token]` match `access_token`.
/// Besides the ``commonNames``, the values of names with a word for a secret are masked: `X-Hub-Signature-256`, `masterKey` and
/// `sessionCookie`, but not `token_type`, `sort_key`, `Idempotency-Key` and `nextPageToken`. URLs that are percent-encoded in other
/// URLs, and JSON in JSON strings, are masked as well.
///
/// A value that one of these rules masks is also masked at all other places of the entry, including its percent-encoded, JSON-escaped
/// and base64 forms. At these other places, values of four to seven bytes are masked as whole words only; shorter values, common words
/// and numbers of fewer than eight digits are not masked there, because they cannot be distinguished from other text.
public struct HARSecrets: Hashable, Sendable {
    /// Masks credentials, cookies and the ``commonNames``.
    public static let standard = HARSecrets()

    /// Masks nothing; for files that are kept private.
    public static let none = HARSecrets(mask: .none)

    /// The replacement for masked values.
    public static let placeholder = SecretMask.placeholder

    /// Common names of credentials: OAuth 2 parameters (RFC 6749), passwords, tokens, API keys, and the signatures of
    /// URLs.
    ///
    /// The values of names with words like `token`, `key` and `signature` are also masked, including headers such as `X-Vault-Token`
    /// and `Ocp-Apim-Subscription-Key`. `code`, OAuth's authorization code, is masked in queries and forms, and as a string in JSON
    /// that has a `grant_type`.
    public static let commonNames = SecretNames.common

    package let mask: SecretMask

    /// Creates a list of names whose values are masked in addition to credentials and cookies.
    ///
    /// - Parameters:
    ///   - names: The application's names, ignoring case: `["X-Session", "pin"]`.
    ///   - includesCommonNames: Whether ``commonNames``, and names with a word for a secret, are also masked.
    public init(names: Set<String> = [], includesCommonNames: Bool = true) {
        self.init(mask: SecretMask(names: names, includesCommonNames: includesCommonNames))
    }

    private init(mask: SecretMask) { self.mask = mask }

    var isOff: Bool { mask.isOff }

    package func isSecret(_ name: String, in place: SecretNames.Place = .other) -> Bool {
        mask.isSecret(name, in: place)
    }
}
