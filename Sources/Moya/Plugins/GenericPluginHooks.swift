import Foundation

/// The hooks of ``PluginType`` with a generic target, as in `target: some TargetType`, which a plugin may implement instead.
///
/// Every plugin conforms. A generic function does not satisfy a requirement with `any TargetType`; without these requirements
/// it would compile and never be called. The default implementations of ``PluginType`` call them.
@preconcurrency
public protocol _GenericPluginHooks: Sendable {
    /// Returns the request to send or stub.
    @_disfavoredOverload
    func prepare<Target: TargetType>(_ request: URLRequest, target: Target) -> URLRequest

    /// Called right before a request is sent or stubbed.
    @_disfavoredOverload
    func willSend<Target: TargetType>(_ request: any RequestType, target: Target)

    /// Called with the result.
    @_disfavoredOverload
    func didReceive<Target: TargetType>(_ result: Result<Moya.Response, MoyaError>, target: Target)

    /// Returns the result for the caller.
    @_disfavoredOverload
    func process<Target: TargetType>(
        _ result: Result<Moya.Response, MoyaError>,
        target: Target
    ) -> Result<Moya.Response, MoyaError>
}

extension _GenericPluginHooks {
    /// Returns the request unchanged.
    @_disfavoredOverload
    public func prepare<Target: TargetType>(_ request: URLRequest, target: Target) -> URLRequest { request }

    /// Does nothing.
    @_disfavoredOverload
    public func willSend<Target: TargetType>(_ request: any RequestType, target: Target) {}

    /// Does nothing.
    @_disfavoredOverload
    public func didReceive<Target: TargetType>(_ result: Result<Moya.Response, MoyaError>, target: Target) {}

    /// Returns the result unchanged.
    @_disfavoredOverload
    public func process<Target: TargetType>(
        _ result: Result<Moya.Response, MoyaError>,
        target: Target
    ) -> Result<Moya.Response, MoyaError> { result }
}

extension PluginType {
    /// The plugin as a type that has only the generic hooks; a call on the plugin itself would choose another overload.
    var genericHooks: some _GenericPluginHooks { self }
}
