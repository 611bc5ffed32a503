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
            guard let url = URL(strictly: text)?.withoutCredentials, url.hasValidPort,
                let target = self.url, url.mayGetCredentials(of: target)
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
    /// Returns whether a request to the URL may have the credentials of a target with another URL, because both have the same origin,
    /// or this one has it over TLS.
    func mayGetCredentials(of target: URL) -> Bool {
        // The session may have sent the request over TLS, or the server may prefer TLS; the other way exposes credentials.
        guard let origin = Origin(self), let targetOrigin = Origin(target) else { return false }
        return origin == targetOrigin || origin == targetOrigin.withTLS
    }

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
