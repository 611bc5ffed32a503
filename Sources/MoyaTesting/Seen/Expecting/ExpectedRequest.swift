import Foundation
import Moya
import MoyaHAR

/// What a test expects of a request. Parts that it does not name are not compared.
///
///     .get("/users")                                          // the path, and any query
///     .get("https://api.example.com/users?page=2")            // the server, and the whole query, too
///     .post("/users").header("X-Draft", "1").json(["name": "Ann", "age": 36])
///     .put("/users/1").json(including: ["name": "Ann"])       // other members may be there
///     .target(GitHub.zen)
///
/// Queries and forms are compared by name, headers whatever the case of their names, and JSON by its structure. In place of
/// a value `***` stands for any one. Texts are compared by their bytes, so that a composed and a decomposed `é` differ, and the
/// numbers of JSON by their exact value, so that 1 and 1.0 are the same.
public struct ExpectedRequest: Sendable {
    var method: HTTPMethod?
    /// As it was given, with a slash in front of a path.
    var url: String?
    /// Parameters of the query by name; those without a value must not be there.
    var query: [ExactText: [String]] = [:]
    /// Whether there may be no other parameters.
    var isWholeQuery = false
    /// By name in lower case; those without a value must not be there.
    var headers: [String: [String]] = [:]
    var body = ExpectedBody.any
    var target: ExpectedTarget?
    /// Why nothing can be compared with it.
    var mistake: String?

    /// Expects a request of a method, to a URL.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for any.
    ///   - url: An absolute URL or a path; `nil` for any. If there is a query in it, the whole query must be so.
    public init(_ method: HTTPMethod? = nil, _ url: String? = nil) {
        self.method = method
        guard let url else { return }
        let isWhole = url.contains("://") || url.hasPrefix("/")
        self.url = isWhole ? url : "/" + url
        isWholeQuery = url.contains("?")
        query = URLText(of: url).items.reduce(into: [:]) { $0[ExactText($1.name), default: []].append($1.value) }
    }

    /// Expects a GET.
    public static func get(_ url: String? = nil) -> Self { Self(.get, url) }
    /// Expects a HEAD.
    public static func head(_ url: String? = nil) -> Self { Self(.head, url) }
    /// Expects a POST.
    public static func post(_ url: String? = nil) -> Self { Self(.post, url) }
    /// Expects a PUT.
    public static func put(_ url: String? = nil) -> Self { Self(.put, url) }
    /// Expects a PATCH.
    public static func patch(_ url: String? = nil) -> Self { Self(.patch, url) }
    /// Expects a DELETE.
    public static func delete(_ url: String? = nil) -> Self { Self(.delete, url) }
    /// Expects any request.
    public static var any: Self { Self() }
    /// Expects a request that a target caused.
    public static func target(_ target: some TargetType & Equatable) -> Self { any.target(target) }

    func changing(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension ExpectedRequest: CustomStringConvertible, CustomReflectable {
    /// In one line: `POST /users?page=2, JSON (an object of 2)`. Secrets of common names are masked.
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

    /// Nothing: what looks inside must not find secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A target that is expected.
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
