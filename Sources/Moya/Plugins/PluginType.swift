import Foundation

/// A hook that observes and changes the requests and results of a provider.
///
/// The hooks of one plugin run in the order in which they are declared here; each hook visits the plugins in the
/// order of the provider's array. All hooks have default implementations. They are synchronous; the target is
/// `any TargetType`, or generic. A function with another signature, such as an async one, is not a hook.
///
///     struct VersionPlugin: PluginType {
///         func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
///             var request = request
///             request.setValue("2", forHTTPHeaderField: "API-Version")
///             return request
///         }
///     }
@preconcurrency
public protocol PluginType: Sendable, _GenericPluginHooks {
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
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        genericHooks.prepare(request, target: target)
    }

    /// Does nothing.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        genericHooks.willSend(request, target: target)
    }

    /// Does nothing.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
        genericHooks.didReceive(result, target: target)
    }

    /// Returns the result unchanged.
    public func process(
        _ result: Result<Moya.Response, MoyaError>,
        target: any TargetType
    ) -> Result<Moya.Response, MoyaError> { genericHooks.process(result, target: target) }
}

// These functions call the hooks of all plugins. The target is generic, so that it is not converted to `any TargetType` if there
// are no plugins.
extension [any PluginType] {
    /// Passes a request through the plugins' `prepare`, one after the other.
    func prepare(_ request: URLRequest, for target: some TargetType) -> URLRequest {
        guard !isEmpty else { return request }
        let target: any TargetType = target
        return reduce(request) { request, plugin in
            var prepared = plugin.prepare(request, target: target)
            prepared.removeSupersededHeaders(after: { request.allHTTPHeaderFields })
            return prepared
        }
    }

    /// Calls the plugins' `willSend`.
    func willSend(_ request: PluginRequest, for target: some TargetType, as identity: RequestIdentity?) {
        guard !isEmpty else { return }
        let (request, target): (any RequestType, any TargetType) = (request, target)
        RequestIdentity.run(as: identity, for: self) { forEach { $0.willSend(request, target: target) } }
    }

    /// Calls the plugins' `didReceive` with the raw result.
    func didReceive(_ result: Result<Response, MoyaError>, for target: some TargetType, as identity: RequestIdentity?) {
        guard !isEmpty else { return }
        let target: any TargetType = target
        RequestIdentity.run(as: identity, for: self) { forEach { $0.didReceive(result, target: target) } }
    }

    /// Passes a result through the plugins' `process`, one after the other.
    func process(_ result: Result<Response, MoyaError>, for target: some TargetType) -> Result<Response, MoyaError> {
        guard !isEmpty else { return result }
        let target: any TargetType = target
        return reduce(result) { $1.process($0, target: target) }
    }
}
