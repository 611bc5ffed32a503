import Foundation

/// The requests of an API, usually an enum with a case for each request.
///
///     enum GitHub: TargetType {
///         case zen
///         case userProfile(String)
///
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
///
/// Members with a default may also be declared as in the table of Documentation/Targets.md, such as
/// `timeoutInterval: TimeInterval`.
@preconcurrency
public protocol TargetType: Sendable, _TargetMemberSpellings, _TargetTimeoutInWholeSeconds, _TargetTimeoutAsDuration {
    /// The URL that ``path`` is appended to: absolute, with a scheme and a host.
    var baseURL: URL { get }

    /// The path that is appended to ``baseURL``, unescaped; empty for the base URL itself.
    ///
    /// A leading slash is optional.
    var path: String { get }

    /// Whether ``path`` is already percent-encoded (RFC 3986, section 2.1); false by default.
    ///
    /// An encoded path is added to the URL unchanged. Use it if a value in the path may contain a slash, which only
    /// the target can distinguish from a separator. A target that wraps another must forward this property together
    /// with the path.
    var isPathEscaped: Bool { get }

    /// The HTTP method.
    var method: Moya.Method { get }

    /// The body of a stub's response; empty by default.
    var sampleData: Data { get }

    /// The content of the request: for example none, data, or encoded parameters.
    var task: HTTPTask { get }

    /// The status codes that count as success; all of them by default.
    var validationType: ValidationType { get }

    /// The request's headers, which replace the session's.
    var headers: [String: String]? { get }

    /// The time in seconds after which the request fails if nothing is sent or received; `nil`, the default, for the
    /// session's timeout.
    ///
    /// It becomes the `timeoutInterval` of the `URLRequest`. A target that wraps another must forward it. An endpoint
    /// closure that creates an ``Endpoint`` by itself must pass it on, as it does with the headers.
    var timeoutInterval: TimeInterval? { get }

    /// The use of the session's cache; by default the `requestCachePolicy` of the session's configuration.
    ///
    /// It becomes the `cachePolicy` of the `URLRequest`. A target that wraps another must forward it.
    var cachePolicy: URLRequest.CachePolicy { get }
}

extension TargetType {
    /// False.
    public var isPathEscaped: Bool { declaredMembers.isPathEscaped(of: self) ?? false }

    /// No validation.
    public var validationType: ValidationType { declaredMembers.validationType(of: self) ?? .none }

    /// Empty data.
    public var sampleData: Data { declaredMembers.sampleData(of: self) ?? Data() }

    /// The session's policy.
    public var cachePolicy: URLRequest.CachePolicy { declaredMembers.cachePolicy(of: self) ?? .useProtocolCachePolicy }

    // It is disfavored because many applications have a `timeoutInterval: TimeInterval` in their targets, which must be
    // preferred also where an optional value is expected.
    /// The session's timeout.
    @_disfavoredOverload
    public var timeoutInterval: TimeInterval? { declaredMembers.timeoutInterval(of: self) }
}
