import Foundation

/// Says which values must not be written where people read: logs, error texts, cURL commands, recordings.
package struct SecretMask: Hashable, Sendable {
    /// Masks the headers that carry credentials, and the names under which APIs hand them over.
    package static let standard = SecretMask()

    /// Masks nothing.
    package static let none = SecretMask(isOff: true, names: SecretNames(includesCommon: false))

    /// What stands in place of a masked value.
    package static let placeholder = "***"

    private static let schemeHeaderNames: Set<String> = ["authorization", "proxy-authorization"]
    private static let headerNames = schemeHeaderNames.union(["cookie", "set-cookie"])

    package let isOff: Bool
    private let names: SecretNames

    /// - Parameters:
    ///   - names: Headers, parameters, members and parts whose values are secrets, too. See ``SecretNames`` for how they are
    ///     compared.
    ///   - includesCommonNames: Whether ``SecretNames/common`` are secrets.
    package init(names: Set<String> = [], includesCommonNames: Bool = true) {
        self.init(isOff: false, names: SecretNames(names, includesCommon: includesCommonNames))
    }

    private init(isOff: Bool, names: SecretNames) {
        self.isOff = isOff
        self.names = names
    }

    /// The value as it may be written.
    ///
    /// The scheme of an `Authorization` stays: it is no secret, and it is what one looks for when a request is refused. In
    /// other headers the URLs are masked.
    package func value(_ value: String, ofHeader name: String, found: FoundSecrets? = nil) -> String {
        guard !isOff else { return value }
        let lowercased = name.lowercased()
        guard Self.headerNames.contains(lowercased) || hides(name, in: .header) else {
            return masking(value, as: Self.isURL(lowercased) ? .url : .text, found)
        }
        if lowercased.hasSuffix("cookie") {
            value.split(separator: ";").forEach { found?.add(Self.value(of: $0)) }
        } else {
            found?.addCredentials(value)
        }
        if Self.schemeHeaderNames.contains(lowercased), let space = value.firstIndex(of: " ") {
            return "\(value[..<space]) \(Self.placeholder)"
        }
        return Self.placeholder
    }

    /// Whether the value of this name must not be written.
    package func hides(_ name: String, in place: SecretNames.Place = .other) -> Bool {
        !isOff && names.hides(name, in: place)
    }

    /// The URL as it may be written: without user name and password, and with the values of secret parameters masked.
    package func text(of url: URL, found: FoundSecrets? = nil) -> String {
        isOff ? url.absoluteString : masking(url.withoutCredentials.absoluteString, as: .url, found)
    }

    /// A text that is a URL, or a value that may be one.
    package func masking(url text: String, found: FoundSecrets? = nil) -> String { masking(text, as: .url, found) }

    /// A text, with user names, passwords and the values of secret parameters masked in all URLs that are in it.
    ///
    /// Where it is not clear where a URL ends, more is masked rather than less.
    package func maskingQueries(in text: String, found: FoundSecrets? = nil) -> String {
        masking(text, as: .text, found)
    }

    /// A body as it may be written: with the values masked of secret fields of forms, parts of multipart forms and members of
    /// JSON, and the URLs in it.
    package func body(_ data: Data, contentType: String?, found: FoundSecrets? = nil) -> Data {
        guard !isOff, !data.isEmpty else { return data }
        return BodyMask(names: names, found: found).masking(data, contentType: contentType ?? "") ?? data
    }

    private func masking(_ text: String, as kind: QueryMask.Kind, _ found: FoundSecrets?) -> String {
        guard !isOff, let masked = QueryMask(names: names, found: found).masking(Array(text.utf8), as: kind) else {
            return text
        }
        return String(decoding: masked, as: UTF8.self)
    }

    /// The value of a cookie.
    private static func value(of pair: Substring) -> String {
        pair.firstIndex(of: "=").map { pair[pair.index(after: $0)...].trimmingCharacters(in: .whitespaces) }
            ?? String(pair)
    }

    /// HTTP/2 has the URL's parts as headers.
    private static func isURL(_ header: String) -> Bool {
        ["location", "content-location", "referer", ":path"].contains(header)
    }
}
