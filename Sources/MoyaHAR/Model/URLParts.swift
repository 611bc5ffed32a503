import Foundation
import MoyaHTTP

/// The parts of a URL as text, for comparison; URLs in a file may be invalid for Foundation.
package struct URLParts: Hashable, Sendable {
    /// Scheme, host and port, in lower case and without a default port; empty if missing.
    package let origin: String
    /// The path as written; `/` if it is empty.
    package let path: String
    /// The query parameters, decoded, in order.
    package let items: [Item]

    package struct Item: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    package init(of url: String) {
        let text = url.prefix { $0 != "#" }
        let beforeQuery = text.prefix { $0 != "?" }
        let query = text[beforeQuery.endIndex...].dropFirst()
        var path = beforeQuery[...]
        var origin = ""
        if let slashes = beforeQuery.range(of: "://") {
            let authority = beforeQuery[slashes.upperBound...].prefix { $0 != "/" }
            path = beforeQuery[authority.endIndex...]
            origin = Self.normalizedOrigin(
                scheme: beforeQuery[..<slashes.lowerBound].lowercased(),
                authority: authority.lowercased()
            )
        }
        self.origin = origin
        self.path = path.isEmpty ? "/" : String(path)
        items = Self.parseItems(of: query)
    }

    /// Returns the decoded parameters of a query or a form.
    package static func parseItems(of query: some StringProtocol) -> [Item] {
        // The query is split by bytes, because a separator and a following combining character form one Character.
        query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return Item(
                name: decoded(String(decoding: name, as: UTF8.self)),
                value: decoded(String(decoding: pair[name.endIndex...].dropFirst(), as: UTF8.self))
            )
        }
    }

    private static func normalizedOrigin(scheme: String, authority: String) -> String {
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? authority
        let usual = ["http": ":80", "https": ":443", "ws": ":80", "wss": ":443"][scheme] ?? ":"
        return "\(scheme)://\(host.hasSuffix(usual) ? String(host.dropLast(usual.count)) : host)"
    }

    private static func decoded(_ text: String) -> String {
        let spaced = text.replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }
}
