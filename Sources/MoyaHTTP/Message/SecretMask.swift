import Foundation

/// Says which values must not be written where people read: logs, error texts, cURL commands.
package struct SecretMask: Sendable {
    /// The headers that carry credentials whatever the application.
    package static let standard = SecretMask()

    /// Masks nothing.
    package static let none = SecretMask(isOff: true, names: [])

    /// What stands in place of a masked value.
    package static let placeholder = "***"

    private static let schemeHeaderNames: Set<String> = ["authorization", "proxy-authorization"]
    private static let headerNames = schemeHeaderNames.union(["cookie", "set-cookie"])

    private let isOff: Bool
    /// In lower case.
    private let names: Set<String>

    /// - Parameter names: Headers and query items whose values are secrets, too, whatever the case of their names.
    package init(names: Set<String> = []) { self.init(isOff: false, names: names) }

    private init(isOff: Bool, names: Set<String>) {
        self.isOff = isOff
        self.names = Set(names.map { $0.lowercased() })
    }

    /// The value as it may be written.
    ///
    /// The scheme of an `Authorization` stays: it is no secret, and it is what one looks for when a request is refused.
    package func value(_ value: String, ofHeader name: String) -> String {
        let name = name.lowercased()
        guard !isOff, Self.headerNames.contains(name) || names.contains(name) else { return value }
        if Self.schemeHeaderNames.contains(name), let space = value.firstIndex(of: " ") {
            return "\(value[..<space]) \(Self.placeholder)"
        }
        return Self.placeholder
    }

    /// Whether the value of a form's field of this name must not be written.
    package func hides(_ name: String) -> Bool { !isOff && names.contains(name.lowercased()) }

    /// The URL as it may be written: without user name and password, and with the values of secret query items masked.
    package func text(of url: URL) -> String {
        isOff ? url.absoluteString : maskingQueries(in: url.withoutCredentials.absoluteString)
    }

    /// A text, with the values of secret query items masked in all URLs that are in it.
    ///
    /// Where it is not clear where a URL ends, more is masked rather than less.
    package func maskingQueries(in text: String) -> String {
        guard !isOff, !names.isEmpty else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: { "?&#".contains($0) }) {
            let nameStart = rest.index(after: start)
            result += rest[..<nameStart]
            rest = rest[nameStart...]
            let name = rest.prefix { !"=?&#".contains($0) && !$0.endsURL }
            let afterName = rest[name.endIndex...]
            guard afterName.first == "=", isSecret(name) else { continue }
            result += name + "=" + Self.placeholder
            rest = afterName.dropFirst().drop { !"&#".contains($0) && !$0.endsURL }
        }
        return result + rest
    }

    /// A body as it may be written: with the values of secret items masked, if it is a form.
    package func body(_ data: Data, contentType: String?) -> Data {
        let type = contentType?.prefix { $0 != ";" && !$0.isWhitespace }.lowercased()
        guard !isOff, !names.isEmpty, type == "application/x-www-form-urlencoded" else { return data }
        // A form is a query without its question mark.
        guard let text = String(data: data, encoding: .utf8) else { return data }
        return Data(maskingQueries(in: "?\(text)").utf8.dropFirst())
    }

    private func isSecret(_ name: Substring) -> Bool {
        let name = name.replacingOccurrences(of: "+", with: " ")
        return names.contains((name.removingPercentEncoding ?? name).lowercased())
    }
}

extension Character {
    /// Whether this can't be in a URL (RFC 3986, section 2).
    fileprivate var endsURL: Bool { isWhitespace || "\"<>".contains(self) }
}
