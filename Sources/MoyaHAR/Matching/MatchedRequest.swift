import Foundation

/// A request in the form in which it is compared.
package struct MatchedRequest: Hashable, Sendable {
    let method: String
    let url: URLText
    private let query: MatchedValues
    private let headers: MatchedValues
    private let body: MatchedBody
    /// Whether `***` matches any bytes.
    private let isRecord: Bool

    /// Creates a request; names of headers must be lowercase.
    package init(
        method: String,
        url: URLText,
        query: [URLText.Item],
        headers: [URLText.Item],
        body: MatchedBody = .unknown
    ) {
        (self.method, self.url, self.body) = (method, url, body)
        (self.query, self.headers) = (MatchedValues(query), MatchedValues(headers))
        isRecord = false
    }

    /// Creates a request from a masked one of an archive.
    init(_ request: HAR.Request, matching: HARMatching) {
        method = request.method
        url = URLText(of: request.url)
        let items = url.items.filter { !matching.ignoredQueryNames.contains($0.name) }
        query = MatchedValues(items)
        let names = Set(matching.headers.map { $0.lowercased() })
        headers = MatchedValues(
            request.headers.filter { names.contains($0.name.lowercased()) }
                .map { URLText.Item(name: $0.name.lowercased(), value: $0.value) }
        )
        isRecord = true
        body = matching.parts.contains(.body) ? MatchedBody(request) : .unknown
    }

    package func differences(to actual: MatchedRequest, in parts: HARMatching.Parts) -> [HARDifference] {
        var found: [HARDifference] = []
        if parts.contains(.method), method != actual.method {
            found.append(.method(recorded: method, actual: actual.method))
        }
        if parts.contains(.origin), !isMatch(url.origin, actual.url.origin) {
            found.append(.origin(recorded: url.origin, actual: actual.url.origin))
        }
        if parts.contains(.path), !isMatch(url.path, actual.url.path) {
            found.append(.path(recorded: url.path, actual: actual.url.path))
        }
        if parts.contains(.query) {
            found += query.differences(to: actual.query, isRecord) { .query(name: $0, recorded: $1, actual: $2) }
        }
        found += headers.differences(to: actual.headers, isRecord) { .header(name: $0, recorded: $1, actual: $2) }
        return found + body.differences(to: actual.body, isRecord: isRecord)
    }

    private func isMatch(_ recorded: String, _ actual: String) -> Bool {
        let (recorded, actual) = (ExactText(recorded), ExactText(actual))
        return isRecord ? recorded.isMatched(by: actual) : recorded == actual
    }
}

/// The values of a query, a form or headers by name, which are compared by their bytes.
package struct MatchedValues: Hashable, Sendable {
    private let values: [ExactText: [ExactText]]

    package init(_ items: [URLText.Item]) {
        values = items.reduce(into: [:]) { $0[ExactText($1.name), default: []].append(ExactText($1.value)) }
    }

    /// Returns the differences from requested values; if `isRecord` is true, `***` matches any bytes inside of a
    /// value.
    func differences(
        to actual: MatchedValues,
        _ isRecord: Bool,
        make: (String, [String], [String]) -> HARDifference
    ) -> [HARDifference] {
        if values == actual.values { return [] }
        return Set(values.keys).union(actual.values.keys).sorted().compactMap { name in
            let (old, new) = (values[name] ?? [], actual.values[name] ?? [])
            let isMatch =
                old.count == new.count
                && zip(old, new).allSatisfy { old, new in
                    old == new || old.string == HARSecrets.placeholder || isRecord && old.isMatched(by: new)
                }
            return isMatch ? nil : make(name.string, old.map(\.string), new.map(\.string))
        }
    }
}
