import Foundation
import Moya

/// Any target, at a version of its API.
///
/// It shows the wrapping pattern: a target around a target changes what it must, and hands on the rest. (``MultiTarget`` is
/// such a wrapper, too.)
public struct Versioned<Base: TargetType>: TargetType {
    /// The target as it is without a version.
    public let base: Base
    /// The version, as it stands in the path.
    public let version: Int

    /// Wraps a target.
    public init(_ base: Base, version: Int) {
        self.base = base
        self.version = version
    }

    /// The base's URL, with the version.
    public var baseURL: URL { return base.baseURL.appendingPathComponent("v\(version)") }
    /// The base's headers, and the version.
    public var headers: [String: String]? {
        return (base.headers ?? [:]).merging(["X-API-Version": "\(version)"]) { _, new in new }
    }

    /// The base's.
    public var path: String { return base.path }
    /// The base's: it goes together with the path.
    public var isPathEscaped: Bool { return base.isPathEscaped }
    /// The base's.
    public var method: Moya.Method { return base.method }
    /// The base's.
    public var task: Task { return base.task }
    /// The base's.
    public var sampleData: Data { return base.sampleData }
    /// The base's.
    public var validationType: ValidationType { return base.validationType }
}

extension Versioned: AccessTokenAuthorizable {
    /// The base's, if it has one.
    public var authorizationType: AuthorizationType? {
        return (base as? AccessTokenAuthorizable)?.authorizationType
    }
}
