import Foundation
import MoyaHTTP

/// Masks what stands in a head: URLs, headers, cookies.
package struct FieldMask: Sendable {
    private let secrets: HARSecrets
    private let mask: SecretMask

    package init(_ secrets: HARSecrets) {
        self.secrets = secrets
        mask = secrets.mask
    }

    func field(_ field: HAR.Field) -> HAR.Field {
        var field = field
        if secrets.hides(field.name) { field.value = HARSecrets.placeholder }
        return field
    }

    func cookie(_ cookie: HAR.Cookie) -> HAR.Cookie {
        var cookie = cookie
        if !secrets.isOff { cookie.value = HARSecrets.placeholder }
        return cookie
    }

    package func header(_ header: HAR.Field) -> HAR.Field {
        var header = header
        let name = header.name.lowercased()
        switch name {
        case "cookie": header.value = cookies(header.value)
        // Some browsers put several of them into one, a line each.
        case "set-cookie":
            header.value = header.value.components(separatedBy: "\n").map { setCookie($0) }.joined(separator: "\n")
        // HTTP/2 has the URL's parts as headers.
        case "location", "content-location", "referer", "link", "refresh", ":path": header.value = url(header.value)
        default: header.value = mask.value(header.value, ofHeader: header.name)
        }
        return secrets.hides(name) ? field(header) : header
    }

    /// A text, with what is secret in the URLs in it masked, user names and passwords included.
    package func url(_ text: String) -> String { mask.maskingQueries(in: Self.withoutUsers(text)) }

    /// `a=1; b=2` becomes `a=***; b=***`.
    private func cookies(_ value: String) -> String {
        guard !secrets.isOff else { return value }
        return value.split(separator: ";").map { pair(String($0).trimmingCharacters(in: .whitespaces)) }
            .joined(separator: "; ")
    }

    /// The attributes stay: they say when the cookie is sent.
    private func setCookie(_ line: String) -> String {
        guard !secrets.isOff else { return line }
        let first = line.prefix { $0 != ";" }
        return pair(String(first)) + line[first.endIndex...]
    }

    private func pair(_ text: String) -> String {
        guard let equals = text.firstIndex(of: "=") else { return HARSecrets.placeholder }
        return text[...equals] + HARSecrets.placeholder
    }

    /// Leaves out what stands before an `@` in the authority of each URL in a text.
    private static func withoutUsers(_ text: String) -> String {
        guard text.contains("@") else { return text }
        var result = ""
        var rest = text[...]
        while let slashes = rest.range(of: "//") {
            result += rest[..<slashes.upperBound]
            rest = rest[slashes.upperBound...]
            let authority = rest.prefix { !"/?#\"<>,".contains($0) && !$0.isWhitespace }
            guard let at = authority.lastIndex(of: "@") else { continue }
            rest = rest[rest.index(after: at)...]
        }
        return result + rest
    }
}
