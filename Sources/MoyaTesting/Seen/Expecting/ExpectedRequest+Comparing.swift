import Foundation
import Moya
import MoyaHAR

extension ExpectedRequest {
    /// In what a request differs, without its body.
    func headDifferences(from seen: SeenRequest) -> [RequestDifference] {
        var found: [RequestDifference] = []
        if let target, seen.target.map({ !target.isSame($0) }) ?? true {
            found.append(RequestDifference(.target, target.name, seen.target.map { "\(TargetName($0))" }))
        }
        let differences = matched.differences(to: matched(seen), in: parts)
        return found + differences.compactMap { RequestDifference($0, secrets: seen.secrets) }
    }

    /// Whether a request is as expected. Bodies are looked at last.
    func isMet(by seen: SeenRequest) -> Bool {
        mistake == nil && headDifferences(from: seen).isEmpty && body.differences(from: seen).isEmpty
    }

    /// The request that is most like it, and in what it differs.
    ///
    /// - Parameter limit: Of so many requests at most the bodies are looked at.
    func nearest(
        in requests: [SeenRequest],
        limit: Int = 100
    ) -> (request: SeenRequest, differences: [RequestDifference])? {
        let heads = requests.map { (request: $0, differences: headDifferences(from: $0)) }
        guard let least = heads.map(\.differences.weight).min() else { return nil }
        // What a body adds can't make up for another path.
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
            // `/users/zoë` may be written so: it is escaped as it is in a URL.
            url: URLText(of: (url ?? "/").percentEncoded(keeping: .url)),
            query: query.flatMap { name, values in values.map { URLText.Item(name: name.string, value: $0) } },
            headers: headers.flatMap { name, values in values.map { URLText.Item(name: name, value: $0) } }
        )
    }

    /// Only what is compared.
    private func matched(_ seen: SeenRequest) -> MatchedRequest {
        let asked = seen.query.texts
        return MatchedRequest(
            method: seen.method.rawValue,
            url: URLText(of: seen.url.absoluteString),
            query: isWholeQuery ? asked : asked.filter { query.keys.contains(ExactText($0.name)) },
            headers: headers.keys.flatMap { name in
                let values = HTTPField.Name(name).map { seen.headers[values: $0] } ?? []
                return values.map { URLText.Item(name: name, value: $0) }
            }
        )
    }
}

extension [RequestDifference] {
    /// How unlike a request is.
    var weight: Int { reduce(0) { $0 + $1.weight } }
}
