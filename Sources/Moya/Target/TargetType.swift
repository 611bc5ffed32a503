import Foundation

/// What an application can ask of an API, usually an enum with a case for each request.
///
///     enum GitHub {
///         case zen
///         case userProfile(String)
///     }
///
///     extension GitHub: TargetType {
///         var baseURL: URL { URL(string: "https://api.github.com")! }
///         var path: String {
///             switch self {
///             case .zen: "/zen"
///             case .userProfile(let name): "/users/\(name)"
///             }
///         }
///         var method: Moya.Method { .get }
///         var task: HTTPTask { .requestPlain }
///         var headers: [String: String]? { nil }
///     }
@preconcurrency
public protocol TargetType: Sendable {
    /// The URL that ``path`` is appended to: absolute, with a scheme and a host.
    var baseURL: URL { get }

    /// What is appended to ``baseURL``, unescaped; empty for the base URL itself. A leading slash makes no difference.
    var path: String { get }

    /// Whether ``path`` is percent-encoded already (RFC 3986, section 2.1), and goes into the URL as it is. It is not,
    /// unless you say otherwise.
    ///
    /// Say so where a value in the path may have a slash of its own, which only the target can tell from one that divides
    /// the path. A target that wraps another hands this on together with the path.
    var isPathEscaped: Bool { get }

    /// The HTTP method.
    var method: Moya.Method { get }

    /// The body that a stub answers with. Empty unless you say otherwise.
    var sampleData: Data { get }

    /// What is sent: nothing, data, or parameters in an encoding.
    var task: HTTPTask { get }

    /// Which status codes count as success. All of them, unless you say otherwise.
    var validationType: ValidationType { get }

    /// The request's headers; they win over the session's.
    var headers: [String: String]? { get }
}

extension TargetType {
    /// The path is not escaped.
    public var isPathEscaped: Bool { false }

    /// No validation.
    public var validationType: ValidationType { .none }

    /// No data.
    public var sampleData: Data { Data() }
}
