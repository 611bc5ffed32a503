import Foundation
import MoyaHTTP

/// Says which values must not get into a file, or onto a screen: they are replaced by `***`.
///
/// Always masked are the credentials of `Authorization` and `Proxy-Authorization` (their scheme stays), the values of all
/// cookies (their names and attributes stay), and user name and password in URLs: what loggers mask. Besides those,
/// values by name: of headers, parameters of queries, fields and parts of forms, and members of JSON objects at any depth.
///
/// Names are compared without case, `_` and `-`, segment by segment: `accessToken` and `user[access_token]` are `access_token`.
/// URLs are looked into that are percent-encoded in others, and so is JSON in strings of JSON.
///
/// A value that is masked in one place of an entry is masked in all others: also percent-encoded, escaped in JSON, and in
/// base64. Values of four to seven bytes are masked there as whole words only; shorter ones, common words and numbers of less
/// than eight digits are not, as they can't be told from other text.
public struct HARSecrets: Hashable, Sendable {
    /// Masks what is always masked, and ``commonNames``.
    public static let standard = HARSecrets()

    /// Masks nothing: for files that you keep for yourself.
    public static let none = HARSecrets(mask: .none)

    /// What stands in place of a masked value.
    public static let placeholder = SecretMask.placeholder

    /// Names under which APIs hand over credentials: the parameters of OAuth 2 (RFC 6749), passwords, tokens, API keys, and the
    /// parts of signed URLs.
    ///
    /// With them goes `code`, OAuth's authorization code, where it can be one: in queries and forms, and as a string in JSON that
    /// has a `grant_type`. And so do headers whose names end like `X-Vault-Token` or `Ocp-Apim-Subscription-Key`.
    public static let commonNames = SecretNames.common

    package let mask: SecretMask

    /// Masks the values of these names beside what is always masked, whatever the case of the names.
    ///
    /// - Parameters:
    ///   - names: The application's own: `["X-Session", "pin"]`.
    ///   - includesCommonNames: Whether ``commonNames`` are masked, too.
    public init(names: Set<String> = [], includesCommonNames: Bool = true) {
        self.init(mask: SecretMask(names: names, includesCommonNames: includesCommonNames))
    }

    private init(mask: SecretMask) { self.mask = mask }

    var isOff: Bool { mask.isOff }

    package func hides(_ name: String, in place: SecretNames.Place = .other) -> Bool { mask.hides(name, in: place) }
}
