import Foundation
import MoyaHTTP

/// Masks URLs, headers and cookies.
package struct FieldMask {
    private let mask: SecretMask
    private let found: FoundSecrets?

    /// Creates a mask; `found` collects the masked values.
    package init(_ secrets: HARSecrets, found: FoundSecrets? = nil) {
        mask = secrets.mask
        self.found = found
    }

    /// Returns the value of a query or form parameter, masked if it is a secret; the names of the other parameters take part in that
    /// decision.
    package func value(_ value: String, of name: String, beside others: [String] = []) -> String {
        guard mask.isSecret(parameter: name, value, beside: others) else { return url(value) }
        found?.add(value)
        return HARSecrets.placeholder
    }

    func parameters(_ fields: [HAR.Field]) -> [HAR.Field] {
        let names = fields.map(\.name)
        return fields.map { field in
            var field = field
            field.value = value(field.value, of: field.name, beside: names)
            return field
        }
    }

    /// Returns the cookie with its value masked.
    ///
    /// Some programs write the value of a cookie without a name as its name (RFC 6265bis, section 5.6). The headers show
    /// whether the cookie has a name.
    func cookie(_ cookie: HAR.Cookie, in headers: [HAR.Field]) -> HAR.Cookie {
        guard !mask.isOff else { return cookie }
        var cookie = cookie
        let isValue = cookie.value.isEmpty && !cookie.name.isEmpty && !Self.hasCookie(named: cookie.name, in: headers)
        if isValue { (cookie.name, cookie.value) = ("", cookie.name) }
        found?.add(cookie.value)
        cookie.value = HARSecrets.placeholder
        return cookie
    }

    private static func hasCookie(named name: String, in headers: [HAR.Field]) -> Bool {
        headers.contains { header in
            guard ["cookie", "set-cookie"].contains(header.name.lowercased()) else { return false }
            return header.value.split { ";\n".contains($0) }.contains { pair in
                pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).count == 2
                    && pair.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces) == name
            }
        }
    }

    package func header(_ header: HAR.Field) -> HAR.Field {
        var header = header
        switch header.name.lowercased() {
        case "cookie": header.value = cookies(header.value)
        // Some browsers write several of these headers as one, separated by line breaks.
        case "set-cookie":
            header.value = header.value.components(separatedBy: "\n").map { setCookie($0) }.joined(separator: "\n")
        default: header.value = mask.value(header.value, ofHeader: header.name, found: found)
        }
        return header
    }

    /// Returns a URL with its secrets masked, including user name and password.
    package func url(_ text: String) -> String { mask.masking(url: text, found: found) }

    /// Returns a text with the secrets of the URLs in it masked.
    package func text(_ text: String) -> String { mask.maskingQueries(in: text, found: found) }

    /// Masks the values of a `Cookie` header: `a=1; b=2` becomes `a=***; b=***`.
    private func cookies(_ value: String) -> String {
        guard !mask.isOff else { return value }
        return value.split(separator: ";").map { pair(String($0).trimmingCharacters(in: .whitespaces)) }
            .joined(separator: "; ")
    }

    /// Masks the value of a cookie, but not its attributes, which determine when it is sent.
    private func setCookie(_ line: String) -> String {
        guard !mask.isOff else { return line }
        let first = line.prefix { $0 != ";" }
        return pair(String(first)) + line[first.endIndex...]
    }

    private func pair(_ text: String) -> String {
        guard let equals = text.firstIndex(of: "=") else {
            found?.add(text)
            return HARSecrets.placeholder
        }
        found?.add(String(text[text.index(after: equals)...]))
        return text[...equals] + HARSecrets.placeholder
    }
}
