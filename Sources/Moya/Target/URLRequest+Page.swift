import Foundation
import MoyaHTTP

extension URLRequest {
    /// Changes the URL of a target's request to the location of a page.
    ///
    /// - Throws: ``MoyaError/underlying(_:_:)`` with ``PaginationError/otherOrigin`` or ``PaginationError/unsuitablePosition``.
    mutating func move(to location: PagePosition.Location) throws {
        switch location {
        case .first: break
        case .url(let text):
            // A position that was stored may have any text.
            // The session may have sent the request over TLS, or the server may prefer TLS; the other way exposes credentials.
            guard let url = URL(strictly: text)?.withoutCredentials, let origin = Origin(url), url.hasValidPort,
                let target = self.url.flatMap({ Origin($0) }), origin == target || origin == target.withTLS
            else { throw MoyaError.underlying(PaginationError.otherOrigin, nil) }
            self.url = url
        case .query(let items):
            url = url?.removingQueryItems(named: Set(items.keys))
            self = try URLEncoding.queryString.encode(self, with: items)
        case .cursor:
            throw MoyaError.underlying(PaginationError.unsuitablePosition, nil)
        }
    }
}

extension URL {
    /// Returns the URL without the query items with these names; the other items keep their bytes.
    fileprivate func removingQueryItems(named names: Set<String>) -> URL {
        let text = absoluteString
        let beforeFragment = text.prefix { $0 != "#" }
        guard let mark = beforeFragment.firstIndex(of: "?") else { return self }
        let items = beforeFragment[beforeFragment.index(after: mark)...].split(
            separator: "&",
            omittingEmptySubsequences: false
        )
        let kept = items.filter { item in
            let name = String(item.prefix { $0 != "=" }).replacing("+", with: " ")
            return !names.contains(name.removingPercentEncoding ?? name)
        }
        guard kept.count < items.count else { return self }
        let query = kept.isEmpty ? "" : "?\(kept.joined(separator: "&"))"
        return URL(string: "\(beforeFragment[..<mark])\(query)\(text[beforeFragment.endIndex...])") ?? self
    }
}
