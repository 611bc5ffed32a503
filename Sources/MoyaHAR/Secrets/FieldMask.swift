import Foundation
import MoyaHTTP

/// Masks what stands in a head: URLs, headers, cookies.
package struct FieldMask {
    private let mask: SecretMask
    private let found: FoundSecrets?

    /// - Parameter found: Gets the values that are masked.
    package init(_ secrets: HARSecrets, found: FoundSecrets? = nil) {
        mask = secrets.mask
        self.found = found
    }

    /// The value of a parameter in a query or a form.
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
        // Some browsers put several of them into one, a line each.
        case "set-cookie":
            header.value = header.value.components(separatedBy: "\n").map { setCookie($0) }.joined(separator: "\n")
        default: header.value = mask.value(header.value, ofHeader: header.name, found: found)
        }
        return header
    }

    /// A text that is a URL, with what is secret in it masked, user name and password included.
    package func url(_ text: String) -> String { mask.masking(url: text, found: found) }

    /// A text, with what is secret in the URLs in it masked.
    package func text(_ text: String) -> String { mask.maskingQueries(in: text, found: found) }

    /// `a=1; b=2` becomes `a=***; b=***`.
    private func cookies(_ value: String) -> String {
        guard !mask.isOff else { return value }
        return value.split(separator: ";").map { pair(String($0).trimmingCharacters(in: .whitespaces)) }
            .joined(separator: "; ")
    }

    /// The attributes stay: they say when the cookie is sent.
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
