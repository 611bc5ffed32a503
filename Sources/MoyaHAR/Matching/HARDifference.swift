/// One difference between a request and a recorded one, with secrets masked.
public enum HARDifference: Hashable, Sendable {
    /// The methods differ.
    case method(recorded: String, actual: String)
    /// Scheme, host or port differ.
    case origin(recorded: String, actual: String)
    /// The paths differ.
    case path(recorded: String, actual: String)
    /// The values of a query parameter differ; empty if it is missing.
    case query(name: String, recorded: [String], actual: [String])
    /// The values of a header differ; empty if it is missing.
    case header(name: String, recorded: [String], actual: [String])
    /// The values of a form field differ; empty if it is missing.
    case field(name: String, recorded: [String], actual: [String])
    /// A JSON value differs at a path such as `$.user.roles[2]`; `nil` if it is missing.
    case json(path: String, recorded: String?, actual: String?)
    /// The bodies differ from a byte offset on.
    case bytes(offset: Int)
    /// The bodies have different lengths in bytes.
    case length(recorded: Int64, actual: Int64)

    /// The weight of the difference; the entry with the smallest sum of weights is the most similar one.
    package var weight: Int {
        switch self {
        case .path: 40
        case .method, .origin: 20
        case .query, .length, .bytes: 4
        case .header, .field, .json: 2
        }
    }
}

extension HARDifference: CustomStringConvertible {
    /// The difference in words: `query "page": recorded "1", requested "2"`.
    public var description: String {
        switch self {
        case .method(let recorded, let actual): "method: recorded \(recorded), requested \(actual)"
        case .origin(let recorded, let actual): "server: recorded \(recorded), requested \(actual)"
        case .path(let recorded, let actual): "path: recorded \(recorded), requested \(actual)"
        case .query(let name, let recorded, let actual): Self.text("query", name, recorded: recorded, actual: actual)
        case .header(let name, let recorded, let actual): Self.text("header", name, recorded: recorded, actual: actual)
        case .field(let name, let recorded, let actual):
            Self.text("form field", name, recorded: recorded, actual: actual)
        case .json(let path, let recorded, let actual):
            "body at \(path): recorded \(recorded ?? "nothing"), requested \(actual ?? "nothing")"
        case .bytes(let offset): "body: differs from byte \(offset) on"
        case .length(let recorded, let actual): "body: recorded \(recorded) bytes, requested \(actual)"
        }
    }

    private static func text(_ kind: String, _ name: String, recorded: [String], actual: [String]) -> String {
        "\(kind) \(name.debugDescription): recorded \(list(recorded)), requested \(list(actual))"
    }

    private static func list(_ values: [String]) -> String {
        values.isEmpty ? "nothing" : values.map { $0.shortened.debugDescription }.joined(separator: ", ")
    }
}
