import Foundation
import Moya
import Synchronization

/// A plugin that has all hooks and does next to nothing in them, so that what is measured is the layer's part.
public final class CountingPlugin: PluginType {
    private let calls = Atomic(0)

    /// Makes a plugin.
    public init() {}

    /// The request as it is.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        count()
        return request
    }

    /// Counts.
    public func willSend(_ request: any RequestType, target: any TargetType) { count() }

    /// Counts.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) { count() }

    /// The result as it is.
    public func process(
        _ result: Result<Moya.Response, MoyaError>,
        target: any TargetType
    ) -> Result<Moya.Response, MoyaError> {
        count()
        return result
    }

    private func count() { calls.wrappingAdd(1, ordering: .relaxed) }
}
