import Foundation

// Names of Moya 13 and earlier, in which a session was called a manager.
extension MoyaProvider {
    /// The session.
    @available(*, deprecated, renamed: "session")
    public final var manager: Manager { session }

    /// Creates a provider with a session, which was called a manager.
    ///
    /// A subclass calls the initializer with `session`.
    @available(
        *,
        deprecated,
        renamed: "init(endpointClosure:requestClosure:stubClosure:callbackQueue:session:plugins:trackInflights:)"
    )
    @preconcurrency
    public convenience init(
        endpointClosure: @escaping EndpointClosure = MoyaProvider.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider.defaultRequestMapping,
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: DispatchQueue? = nil,
        manager: Manager,
        plugins: [any PluginType] = [],
        trackInflights: Bool = false
    ) {
        self.init(
            endpointClosure: endpointClosure,
            requestClosure: requestClosure,
            stubClosure: stubClosure,
            callbackQueue: callbackQueue,
            session: manager,
            plugins: plugins,
            trackInflights: trackInflights
        )
    }

    /// Returns a session with the default headers and the platform's transport.
    @available(*, deprecated, renamed: "defaultAlamofireSession()")
    public final class func defaultAlamofireManager() -> Manager { defaultAlamofireSession() }
}

// Spellings of Moya 9 and earlier.
extension MoyaProvider {
    /// Requests a target; `queue` is now `callbackQueue`.
    @available(*, deprecated, renamed: "request(_:callbackQueue:progress:completion:)")
    @preconcurrency
    @discardableResult
    public final func request(
        _ target: Target,
        queue: DispatchQueue?,
        progress: ProgressBlock? = .none,
        completion: @escaping Completion
    ) -> any Cancellable {
        request(target, callbackQueue: queue, progress: progress, completion: completion)
    }

    /// Returns the default endpoint of a target.
    @available(*, deprecated, renamed: "defaultEndpointMapping(for:)")
    @_disfavoredOverload
    @Sendable
    public final class func defaultEndpointMapping(_ target: Target) -> Endpoint { defaultEndpointMapping(for: target) }

    /// Passes the endpoint's request, or the error, to the closure.
    @available(*, deprecated, renamed: "defaultRequestMapping(for:closure:)")
    @_disfavoredOverload
    @Sendable
    public final class func defaultRequestMapping(_ endpoint: Endpoint, closure: RequestResultClosure) {
        defaultRequestMapping(for: endpoint, closure: closure)
    }
}

extension StubBehavior {
    /// Replaced by ``delayed(seconds:)``, with its label.
    @available(*, deprecated, renamed: "delayed(seconds:)")
    public static func delayed(_ seconds: TimeInterval) -> StubBehavior { .delayed(seconds: seconds) }
}

// Moya 9 and earlier had a provider type for each reactive library. The bindings are now members of every provider.

/// Replaced by ``MoyaProvider``.
@available(
    *,
    unavailable,
    message: "Write MoyaProvider; with the module RxMoya its requests are provider.rx.request(_:)."
)
public enum RxMoyaProvider<Target: TargetType> {}

/// Replaced by ``MoyaProvider``.
@available(
    *,
    unavailable,
    message: "Write MoyaProvider; with the module ReactiveMoya its requests are provider.reactive.request(_:)."
)
public enum ReactiveSwiftMoyaProvider<Target: TargetType> {}

/// Replaced by ``MoyaProvider``.
@available(
    *,
    unavailable,
    message: "Write MoyaProvider; with the module ReactiveMoya its requests are provider.reactive.request(_:)."
)
public enum ReactiveCocoaMoyaProvider<Target: TargetType> {}
