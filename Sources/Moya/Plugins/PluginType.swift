import Foundation

/// Sees every request and result of a provider, and may change them.
///
/// The hooks of one plugin run in the order in which they stand here; each hook visits the plugins in the order of the
/// provider's array. All have defaults, so a plugin has only what it needs:
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
    /// Changes a request before it is sent or stubbed. Called again for each attempt.
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest

    /// Called right before a request is sent or stubbed, when all plugins have prepared it.
    func willSend(_ request: any RequestType, target: any TargetType)

    /// Called with what came back, before any plugin has processed it, on the callback queue.
    func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType)

    /// Changes what the caller gets, on the callback queue.
    func process(
        _ result: Result<Moya.Response, MoyaError>,
        target: any TargetType
    ) -> Result<Moya.Response, MoyaError>
}

extension PluginType {
    /// The request as it is.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { request }

    /// Does nothing.
    public func willSend(_ request: any RequestType, target: any TargetType) {}

    /// Does nothing.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {}

    /// The result as it is.
    public func process(
        _ result: Result<Moya.Response, MoyaError>,
        target: any TargetType
    ) -> Result<Moya.Response, MoyaError> { result }
}
