import Foundation
import Moya

/// A wrapper that adds an API version to any target.
///
/// The example shows how to wrap a target: the wrapper changes some properties and forwards the others, as ``MultiTarget`` does.
public struct Versioned<Base: TargetType>: TargetType {
    /// The wrapped target.
    public let base: Base
    /// The version in the path.
    public let version: Int

    /// Wraps a target.
    public init(_ base: Base, version: Int) {
        self.base = base
        self.version = version
    }

    /// The wrapped target's base URL, with the version.
    public var baseURL: URL { return base.baseURL.appendingPathComponent("v\(version)") }
    /// The wrapped target's headers, with the version.
    public var headers: [String: String]? {
        return (base.headers ?? [:]).merging(["X-API-Version": "\(version)"]) { _, new in new }
    }

    /// The wrapped target's path.
    public var path: String { return base.path }
    /// Whether the wrapped target's path is escaped; it must be forwarded together with the path.
    public var isPathEscaped: Bool { return base.isPathEscaped }
    /// The wrapped target's method.
    public var method: Moya.Method { return base.method }
    /// The wrapped target's task.
    public var task: Task { return base.task }
    /// The wrapped target's sample data.
    public var sampleData: Data { return base.sampleData }
    /// The wrapped target's validation.
    public var validationType: ValidationType { return base.validationType }
    /// The wrapped target's timeout.
    public var timeoutInterval: TimeInterval? { return base.timeoutInterval }
}

extension Versioned: AccessTokenAuthorizable {
    /// The wrapped target's authorization type, if any.
    public var authorizationType: AuthorizationType? {
        return (base as? AccessTokenAuthorizable)?.authorizationType
    }
}
