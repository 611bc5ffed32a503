import Foundation

/// A hook that observes and changes the requests and results of a provider.
///
/// The hooks of one plugin run in the order in which they are declared here; each hook visits the plugins in the
/// order of the provider's array. All hooks have default implementations:
///
///     struct VersionPlugin: PluginType {
///         func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
///             var request = request
///             request.setValue("2", forHTTPHeaderField: "API-Version")
///             return request
///         }
///     }
@preconcurrency
public protocol PluginType: Sendable {
    /// Returns the request to send or stub; called for each attempt.
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest

    /// Called right before a request is sent or stubbed, after all plugins have prepared it.
    func willSend(_ request: any RequestType, target: any TargetType)

    /// Called with the result on the callback queue, before any plugin has processed it.
    func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType)

    /// Returns the result for the caller; called on the callback queue.
    func process(
        _ result: Result<Moya.Response, MoyaError>,
        target: any TargetType
    ) -> Result<Moya.Response, MoyaError>
}

extension PluginType {
    /// Returns the request unchanged.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { request }

    /// Does nothing.
    public func willSend(_ request: any RequestType, target: any TargetType) {}

    /// Does nothing.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {}

    /// Returns the result unchanged.
    public func process(
        _ result: Result<Moya.Response, MoyaError>,
        target: any TargetType
    ) -> Result<Moya.Response, MoyaError> { result }
}
