import Foundation
import Moya
import MoyaHAR

extension ExpectedRequest {
    /// Returns the differences from a request, except differences of its body.
    func headDifferences(from request: CapturedRequest) -> [RequestDifference] {
        var found: [RequestDifference] = []
        if let expectedTarget, request.target.map({ !expectedTarget.isSame($0) }) ?? true {
            found.append(
                RequestDifference(
                    .target,
                    expected: expectedTarget.name,
                    actual: request.target.map { "\(TargetName($0))" }
                )
            )
        }
        let differences = expectedParts.differences(to: comparedParts(of: request), in: parts)
        return found + differences.compactMap { RequestDifference($0, secrets: request.secrets) }
    }

    /// Returns whether a request matches; its body is compared last.
    func isMet(by request: CapturedRequest) -> Bool {
        mistake == nil && headDifferences(from: request).isEmpty && expectedBody.differences(from: request).isEmpty
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
        // Bodies are compared only for requests whose heads differ little, so that an equal body cannot outweigh a different path.
        let near = heads.filter { $0.differences.weight <= least + 20 }.prefix(limit)
        return near.map { ($0.request, $0.differences + expectedBody.differences(from: $0.request)) }
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

    private var expectedParts: MatchedRequest {
        MatchedRequest(
            method: method?.rawValue ?? "",
            // The test may write `/users/zoë`: the path is escaped as in a URL.
            url: URLParts(of: (url ?? "/").percentEncoded(keeping: .url)),
            query: queryValues.items,
            headers: headerValues.items
        )
    }

    /// Returns the parts of a request that are compared.
    private func comparedParts(of request: CapturedRequest) -> MatchedRequest {
        MatchedRequest(
            method: request.method.rawValue,
            url: URLParts(of: request.url.absoluteString),
            query: queryValues.comparedValues(of: request.query.texts),
            headers: headerValues.comparedValues(
                of: request.headers.map { URLParts.Item(name: $0.name.canonicalName, value: $0.value) }
            )
        )
    }
}

extension [RequestDifference] {
    /// The total dissimilarity of a request.
    var weight: Int { reduce(0) { $0 + $1.weight } }
}
