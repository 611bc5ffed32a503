import Foundation

/// A wrapper of any target, so that one provider can serve several target types.
///
///     let provider = MoyaProvider<MultiTarget>()
///     provider.request(MultiTarget(GitHub.zen)) { result in … }
public enum MultiTarget: TargetType {
    /// The wrapped target, to which all properties are forwarded.
    case target(any TargetType)

    /// Wraps a target.
    public init(_ target: any TargetType) { self = .target(target) }

    /// The wrapped target's path.
    public var path: String { target.path }
    /// Whether the wrapped target's path is escaped.
    public var isPathEscaped: Bool { target.isPathEscaped }
    /// The wrapped target's base URL.
    public var baseURL: URL { target.baseURL }
    /// The wrapped target's method.
    public var method: Moya.Method { target.method }
    /// The wrapped target's sample data.
    public var sampleData: Data { target.sampleData }
    /// The wrapped target's task.
    public var task: HTTPTask { target.task }
    /// The wrapped target's validation.
    public var validationType: ValidationType { target.validationType }
    /// The wrapped target's headers.
    public var headers: [String: String]? { target.headers }
    /// The wrapped target's timeout.
    public var timeoutInterval: TimeInterval? { target.timeoutInterval }
    /// The wrapped target's use of the cache.
    public var cachePolicy: URLRequest.CachePolicy { target.cachePolicy }

    /// The wrapped target.
    public var target: any TargetType {
        switch self {
        case .target(let target): target
        }
    }
}

extension MultiTarget: URLTemplateProviding {
    /// The wrapped target's template, if it has one.
    public var urlTemplate: String? { (target as? any URLTemplateProviding)?.urlTemplate }
}

extension TargetType {
    /// The target inside all nested ``MultiTarget``s, or the target itself.
    package var innermost: any TargetType { (self as? MultiTarget)?.target.innermost ?? self }
}
