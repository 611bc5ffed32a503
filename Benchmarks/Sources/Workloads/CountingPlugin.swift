import Foundation
import Moya
import Synchronization

/// A plugin that implements all hooks with minimal work, so that the benchmarks measure the layer's part.
public final class CountingPlugin: PluginType {
    private let calls = Atomic(0)

    /// Creates a plugin.
    public init() {}

    /// Returns the request unchanged.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        count()
        return request
    }

    /// Counts the call.
    public func willSend(_ request: any RequestType, target: any TargetType) { count() }

    /// Counts the call.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) { count() }

    /// Returns the result unchanged.
    public func process(
        _ result: Result<Moya.Response, MoyaError>,
        target: any TargetType
    ) -> Result<Moya.Response, MoyaError> {
        count()
        return result
    }

    private func count() { calls.wrappingAdd(1, ordering: .relaxed) }
}
