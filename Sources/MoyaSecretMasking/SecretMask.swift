import Foundation

/// A policy for the values that must not appear in logs, error texts, cURL commands and recordings.
package struct SecretMask: Hashable, Sendable {
    /// A mask for headers with credentials and for common names of secrets in APIs.
    package static let standard = SecretMask()

    /// A mask that does not hide anything.
    package static let none = SecretMask(isOff: true, names: SecretNames(includesCommon: false))

    /// The replacement for a masked value.
    package static let placeholder = "***"

    private static let schemeHeaderNames: Set<String> = ["authorization", "proxy-authorization"]
    private static let headerNames = schemeHeaderNames.union(["cookie", "set-cookie"])

    package let isOff: Bool
    private let names: SecretNames

    /// Creates a mask.
    ///
    /// - Parameters:
    ///   - names: Additional names of headers, parameters, members and parts whose values are secret. ``SecretNames``
    ///     describes the comparison of names.
    ///   - includesCommonNames: Whether ``SecretNames/common`` and names with ``SecretWords`` are secret.
    package init(names: Set<String> = [], includesCommonNames: Bool = true) {
        self.init(isOff: false, names: SecretNames(names, includesCommon: includesCommonNames))
    }

    private init(isOff: Bool, names: SecretNames) {
        self.isOff = isOff
        self.names = names
    }

    /// Returns the masked value of a header.
    ///
    /// The scheme of an `Authorization` is kept: it is not secret, and it is useful to debug a rejected request. In
    /// other headers, URLs are masked.
    package func value(_ value: String, ofHeader name: String, found: FoundSecrets? = nil) -> String {
        guard !isOff else { return value }
        let lowercased = name.lowercased()
        guard Self.headerNames.contains(lowercased) || isSecret(name, in: .header) else {
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

    /// Returns whether the value with this name is secret.
    package func isSecret(_ name: String, in place: SecretNames.Place = .other) -> Bool {
        !isOff && names.isSecret(name, in: place)
    }

    /// Returns whether the value of a decoded query or form parameter is secret.
    ///
    /// The result may depend on the value and on the names of the other parameters.
    package func isSecret(parameter name: String, _ value: String, beside others: [String]) -> Bool {
        guard !isOff else { return false }
        return names.isSecret(name, in: .query)
            || names.isSecret(
                name,
                value: Array(value.utf8)[...],
                isSigned: others.contains(where: names.isSignature)
            )
    }

    /// Returns the URL as text, without user name and password, and with the values of secret parameters masked.
    package func text(of url: URL, found: FoundSecrets? = nil) -> String {
        isOff ? url.absoluteString : masking(url.withoutCredentials.absoluteString, as: .url, found)
    }

    /// Returns the masked text of a URL, or of a value that may be a URL.
    package func masking(url text: String, found: FoundSecrets? = nil) -> String { masking(text, as: .url, found) }

    /// Returns a text with user names, passwords and the values of secret parameters masked in all of its URLs.
    ///
    /// If the end of a URL is ambiguous, the mask covers the longest possible value.
    package func maskingQueries(in text: String, found: FoundSecrets? = nil) -> String {
        masking(text, as: .text, found)
    }

    /// Returns a server's text for a quotation in an error, with secrets masked: the values of JSON members, XML elements and
    /// parameters, also of parameters outside of URLs.
    package func maskingQuotation(_ text: String) -> String {
        String(decoding: body(Data(text.utf8), contentType: "application/x-www-form-urlencoded"), as: UTF8.self)
    }

    /// Returns the body with masked values of secret form fields, multipart parts, JSON members, and parameters in URLs.
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

    /// Returns the value of a cookie.
    private static func value(of pair: Substring) -> String {
        pair.firstIndex(of: "=").map { pair[pair.index(after: $0)...].trimmingCharacters(in: .whitespaces) }
            ?? String(pair)
    }

    /// Returns whether the value of a header is a URL.
    ///
    /// In HTTP/2 the pseudo-header `:path` contains the path of the URL.
    private static func isURL(_ header: String) -> Bool {
        ["location", "content-location", "referer", ":path"].contains(header)
    }
}

extension HTTPHeader: CustomStringConvertible {
    /// The text `name: value`, where the value of a header with credentials is masked.
    public var description: String {
        "\(name): \(SecretMask.standard.value(value, ofHeader: name))"
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// The headers as lines of `name: value`, with credentials masked.
    public var description: String { map(\.description).joined(separator: "\n") }
}
