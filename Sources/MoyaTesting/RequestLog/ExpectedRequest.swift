import Foundation
import Moya
import MoyaHAR

/// The expectation of a test for a request; only the named parts are compared.
///
///     .get("/users")                                          // the path, and any query
///     .get("https://api.example.com/users?page=2")            // the server, and the whole query, too
///     .post("/users").header("X-Draft", "1").json(["name": "Ann", "age": 36])
///     .put("/users/1").json(including: ["name": "Ann"])       // other members may be there
///     .target(GitHub.zen)
///
/// Queries and forms are compared by name, headers by case-insensitive name, and JSON by structure. The value `***`
/// matches any value. Texts are compared by their bytes, so a composed and a decomposed `é` differ; JSON numbers are
/// compared by their exact value, so 1 and 1.0 are equal.
public struct ExpectedRequest: Sendable {
    var method: HTTPMethod?
    /// The URL or path, with a leading slash.
    var url: String?
    /// Query parameters by name; those with an empty list must be missing.
    var query: [ExactText: [String]] = [:]
    /// Whether other query parameters are not allowed.
    var isWholeQuery = false
    /// Headers by lowercase name; those with an empty list must be missing.
    var headers: [String: [String]] = [:]
    var body = ExpectedBody.any
    var target: ExpectedTarget?
    /// The reason why the expectation is invalid.
    var mistake: String?

    /// Creates an expectation for a method and a URL.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for any.
    ///   - url: An absolute URL or a path; `nil` for any. If it has a query, the whole query is compared.
    public init(_ method: HTTPMethod? = nil, _ url: String? = nil) {
        self.method = method
        guard let url else { return }
        let isWhole = url.contains("://") || url.hasPrefix("/")
        self.url = isWhole ? url : "/" + url
        isWholeQuery = url.contains("?")
        query = URLText(of: url).items.reduce(into: [:]) { $0[ExactText($1.name), default: []].append($1.value) }
    }

    /// Expects a GET request.
    public static func get(_ url: String? = nil) -> Self { Self(.get, url) }
    /// Expects a HEAD request.
    public static func head(_ url: String? = nil) -> Self { Self(.head, url) }
    /// Expects a POST request.
    public static func post(_ url: String? = nil) -> Self { Self(.post, url) }
    /// Expects a PUT request.
    public static func put(_ url: String? = nil) -> Self { Self(.put, url) }
    /// Expects a PATCH request.
    public static func patch(_ url: String? = nil) -> Self { Self(.patch, url) }
    /// Expects a DELETE request.
    public static func delete(_ url: String? = nil) -> Self { Self(.delete, url) }
    /// Expects any request.
    public static var any: Self { Self() }
    /// Expects a request that was created from a target.
    public static func target(_ target: some TargetType & Equatable) -> Self { any.target(target) }

    func changing(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension ExpectedRequest: CustomStringConvertible, CustomReflectable {
    /// A description in one line, such as `POST /users?page=2, JSON (an object of 2)`, with common secrets masked.
    public var description: String { description(masking: .standard) }

    func description(masking secrets: HARSecrets) -> String {
        let mask = FieldMask(secrets)
        let names = query.keys.map(\.string)
        let items = query.sorted { $0.key < $1.key }.flatMap { name, values in
            values.map { "\(name.string)=\(mask.value($0, of: name.string, beside: names))" }
        }
        let place = url.map { url in String(mask.url(url).prefix { !"?#".contains($0) }) } ?? ""
        let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
        let words = [method?.rawValue ?? "", HARDifference.short(place + query)].filter { !$0.isEmpty }
        let parts = [
            words.joined(separator: " "), target?.name ?? "", body.description,
            headers.isEmpty ? "" : "with \(headers.keys.sorted().joined(separator: ", "))",
        ]
        let text = parts.filter { !$0.isEmpty }.joined(separator: ", ")
        return text.isEmpty ? "any request" : text
    }

    /// An empty mirror, which hides secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The target of an expectation.
struct ExpectedTarget: Sendable {
    let name: String
    let isSame: @Sendable (any TargetType) -> Bool

    init<Target: TargetType & Equatable>(_ target: Target) {
        name = "\(TargetName(target))"
        let wanted = target.innermost
        isSame = { Self.isEqual(wanted, $0) }
    }

    private static func isEqual(_ wanted: any TargetType, _ other: any TargetType) -> Bool {
        guard let wanted = wanted as? any Equatable else { return false }
        func isEqual<Wanted: Equatable>(_ wanted: Wanted) -> Bool { other as? Wanted == wanted }
        return isEqual(wanted)
    }
}

extension ExpectedRequest {
    /// Expects a request that was created from a target.
    public func target(_ target: some TargetType & Equatable) -> Self {
        changing { $0.target = ExpectedTarget(target) }
    }

    // MARK: Query and headers

    /// Expects a query parameter with these values, in order; other parameters are allowed.
    public func query(_ name: String, _ values: String...) -> Self { changing { $0.query[ExactText(name)] = values } }

    /// Expects these query parameters and no others.
    public func query(exactly parameters: NamedValues) -> Self {
        changing { expected in
            expected.query = parameters.items.reduce(into: [:]) { $0[ExactText($1.name), default: []].append($1.value) }
            expected.isWholeQuery = true
        }
    }

    /// Another name for an exact query.
    @available(*, unavailable, renamed: "query(exactly:)")
    public func query(_ parameters: NamedValues) -> Self { query(exactly: parameters) }

    /// Expects a query without the parameter.
    public func without(query name: String) -> Self { changing { $0.query[ExactText(name)] = [] } }

    /// Expects a header; other headers are allowed.
    public func header(_ name: String, _ value: String) -> Self { changing { $0.headers[name.lowercased()] = [value] } }

    /// Expects a request without the header.
    public func without(header name: String) -> Self { changing { $0.headers[name.lowercased()] = [] } }

    // MARK: Body

    /// Expects a JSON body with the structure of this value.
    ///
    /// - Parameters:
    ///   - value: The value, which is encoded immediately. White space and the order of members are not compared.
    ///   - encoder: The encoder; use the application's if it has special settings.
    /// - Returns: The expectation.
    public func json(_ value: some Encodable, using encoder: JSONEncoder = JSONEncoder()) -> Self {
        json(encoding: value, encoder, isWhole: true)
    }

    /// Expects a JSON body with the structure of a literal.
    public func json(_ literal: JSONLiteral) -> Self { changing { $0.body = .json(literal.value, isWhole: true) } }

    /// Expects a JSON body whose objects have the members of this value; other members are allowed.
    public func json(including value: some Encodable, using encoder: JSONEncoder = JSONEncoder()) -> Self {
        json(encoding: value, encoder, isWhole: false)
    }

    /// Expects a JSON body whose objects have the members of a literal; other members are allowed.
    public func json(including literal: JSONLiteral) -> Self {
        changing { $0.body = .json(literal.value, isWhole: false) }
    }

    /// Expects a JSON body with the structure of this text.
    public func json(text: String) -> Self { json(Data(text.utf8), isWhole: true) }

    /// Expects a form with these fields and no others.
    public func form(_ fields: NamedValues) -> Self { changing { $0.body = .form(fields.texts) } }

    /// Expects a part with this text in a `multipart/form-data` body; other parts are allowed.
    ///
    /// Parts with the same name are compared in order.
    public func part(_ name: String, _ text: String, fileName: String? = nil) -> Self {
        part(name, Data(text.utf8), fileName: fileName)
    }

    /// Expects a part with these bytes in a `multipart/form-data` body; other parts are allowed.
    ///
    /// - Parameters:
    ///   - name: The part's name.
    ///   - data: The part's content.
    ///   - fileName: The name of the file; `nil` if it is not compared.
    /// - Returns: The expectation.
    public func part(_ name: String, _ data: Data, fileName: String? = nil) -> Self {
        changing { expected in
            var parts: [ExpectedPart] = []
            if case .parts(let before) = expected.body { parts = before }
            expected.body = .parts(parts + [ExpectedPart(name: name, data: data, fileName: fileName)])
        }
    }

    /// Expects a body with this text.
    public func text(_ text: String) -> Self { changing { $0.body = .text(text) } }

    /// Expects a body with these bytes.
    public func body(_ data: Data) -> Self { changing { $0.body = .data(data) } }

    /// Expects an empty body or none.
    public func withoutBody() -> Self { changing { $0.body = .none } }

    private func json(encoding value: some Encodable, _ encoder: JSONEncoder, isWhole: Bool) -> Self {
        do {
            return json(try encoder.encode(value), isWhole: isWhole)
        } catch {
            // Only the type of the error, as the error may contain values.
            return changing { $0.mistake = "\(type(of: value)) can't be encoded as JSON (\(type(of: error)))" }
        }
    }

    private func json(_ data: Data, isWhole: Bool) -> Self {
        changing { expected in
            if let value = JSONValue(data) {
                expected.body = .json(value, isWhole: isWhole)
            } else {
                expected.mistake = "the expected body is not JSON, or is nested too deeply"
            }
        }
    }
}

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
