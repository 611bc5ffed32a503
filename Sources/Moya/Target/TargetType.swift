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
    /// No validation.
    public var validationType: ValidationType { .none }

    /// No data.
    public var sampleData: Data { Data() }
}
