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

    /// Returns the masked value of a query or form parameter.
    package func value(_ value: String, of name: String) -> String {
        guard mask.hides(name, in: .query) else { return url(value) }
        found?.add(value)
        return HARSecrets.placeholder
    }

    func field(_ field: HAR.Field) -> HAR.Field {
        var field = field
        field.value = value(field.value, of: field.name)
        return field
    }

    func cookie(_ cookie: HAR.Cookie) -> HAR.Cookie {
        guard !mask.isOff else { return cookie }
        var cookie = cookie
        found?.add(cookie.value)
        cookie.value = HARSecrets.placeholder
        return cookie
    }

    package func header(_ header: HAR.Field) -> HAR.Field {
        var header = header
        switch header.name.lowercased() {
        case "cookie": header.value = cookies(header.value)
        // Some browsers write several of them as one, separated by line breaks.
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
