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
        let items = query.sorted { $0.key < $1.key }.flatMap { name, values in
            values.map { "\(name.string)=\(mask.value($0, of: name.string))" }
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
