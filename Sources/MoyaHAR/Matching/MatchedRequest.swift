import Foundation

/// A request, as it is compared.
package struct MatchedRequest: Hashable, Sendable {
    let method: String
    let url: URLText
    private let query: [String: [String]]
    private let headers: [String: [String]]
    private let body: MatchedBody

    /// A request of these parts. Names of headers are in lower case.
    package init(
        method: String,
        url: URLText,
        query: [String: [String]],
        headers: [String: [String]],
        body: MatchedBody = .unknown
    ) {
        (self.method, self.url, self.query, self.headers, self.body) = (method, url, query, headers, body)
    }

    /// - Parameter request: Masked.
    init(_ request: HAR.Request, matching: HARMatching) {
        method = request.method
        url = URLText(of: request.url)
        let items = url.items.filter { !matching.ignoredQueryNames.contains($0.name) }
        query = Dictionary(grouping: items, by: \.name).mapValues { $0.map(\.value) }
        let names = Set(matching.headers.map { $0.lowercased() })
        headers = request.headers.filter { names.contains($0.name.lowercased()) }
            .reduce(into: [:]) { $0[$1.name.lowercased(), default: []].append($1.value) }
        body = matching.parts.contains(.body) ? MatchedBody(request) : .unknown
    }

    package func differences(to asked: MatchedRequest, in parts: HARMatching.Parts) -> [HARDifference] {
        var found: [HARDifference] = []
        if parts.contains(.method), method != asked.method {
            found.append(.method(recorded: method, asked: asked.method))
        }
        if parts.contains(.origin), url.origin != asked.url.origin {
            found.append(.origin(recorded: url.origin, asked: asked.url.origin))
        }
        if parts.contains(.path), url.path != asked.url.path {
            found.append(.path(recorded: url.path, asked: asked.url.path))
        }
        if parts.contains(.query), query != asked.query {
            found += Self.differences(query, asked.query) { .query(name: $0, recorded: $1, asked: $2) }
        }
        if headers != asked.headers {
            found += Self.differences(headers, asked.headers) { .header(name: $0, recorded: $1, asked: $2) }
        }
        return found + body.differences(to: asked.body)
    }

    private static func differences(
        _ recorded: [String: [String]],
        _ asked: [String: [String]],
        make: (String, [String], [String]) -> HARDifference
    ) -> [HARDifference] {
        Set(recorded.keys).union(asked.keys).sorted().compactMap { name in
            let (old, new) = (recorded[name] ?? [], asked[name] ?? [])
            return old.isMatched(by: new) ? nil : make(name, old, new)
        }
    }
}
