import Foundation
import Moya
import MoyaHAR

extension ExpectedRequest {
    /// Returns the differences from a request, without its body.
    func headDifferences(from seen: CapturedRequest) -> [RequestDifference] {
        var found: [RequestDifference] = []
        if let target, seen.target.map({ !target.isSame($0) }) ?? true {
            found.append(RequestDifference(.target, target.name, seen.target.map { "\(TargetName($0))" }))
        }
        let differences = matched.differences(to: matched(seen), in: parts)
        return found + differences.compactMap { RequestDifference($0, secrets: seen.secrets) }
    }

    /// Returns whether a request matches; its body is compared last.
    func isMet(by seen: CapturedRequest) -> Bool {
        mistake == nil && headDifferences(from: seen).isEmpty && body.differences(from: seen).isEmpty
    }

    /// Returns the most similar request and its differences.
    ///
    /// - Parameters:
    ///   - requests: The requests.
    ///   - limit: The maximum number of requests whose bodies are compared.
    /// - Returns: The request and its differences; `nil` if there are no requests.
    func nearest(
        in requests: [CapturedRequest],
        limit: Int = 100
    ) -> (request: CapturedRequest, differences: [RequestDifference])? {
        let heads = requests.map { (request: $0, differences: headDifferences(from: $0)) }
        guard let least = heads.map(\.differences.weight).min() else { return nil }
        // Similar bodies cannot outweigh another path.
        let near = heads.filter { $0.differences.weight <= least + 20 }.prefix(limit)
        return near.map { ($0.request, $0.differences + body.differences(from: $0.request)) }
            .min { $0.1.weight < $1.1.weight }
    }

    private var parts: HARMatching.Parts {
        var parts: HARMatching.Parts = [.query]
        if method != nil { parts.insert(.method) }
        if let url {
            parts.insert(.path)
            if url.contains("://") { parts.insert(.origin) }
        }
        return parts
    }

    private var matched: MatchedRequest {
        MatchedRequest(
            method: method?.rawValue ?? "",
            // `/users/zoë` is allowed: it is escaped as in a URL.
            url: URLText(of: (url ?? "/").percentEncoded(keeping: .url)),
            query: query.flatMap { name, values in values.map { URLText.Item(name: name.string, value: $0) } },
            headers: headers.flatMap { name, values in values.map { URLText.Item(name: name, value: $0) } }
        )
    }

    /// Returns the parts of a request that are compared.
    private func matched(_ seen: CapturedRequest) -> MatchedRequest {
        let actual = seen.query.texts
        return MatchedRequest(
            method: seen.method.rawValue,
            url: URLText(of: seen.url.absoluteString),
            query: isWholeQuery ? actual : actual.filter { query.keys.contains(ExactText($0.name)) },
            headers: headers.keys.flatMap { name in
                let values = HTTPField.Name(name).map { seen.headers[values: $0] } ?? []
                return values.map { URLText.Item(name: name, value: $0) }
            }
        )
    }
}

extension [RequestDifference] {
    /// The total dissimilarity of a request.
    var weight: Int { reduce(0) { $0 + $1.weight } }
}
