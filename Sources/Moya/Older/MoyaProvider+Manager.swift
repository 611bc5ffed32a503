import Foundation

// Names of Moya 13 and older, when a session was a manager.
extension MoyaProvider {
    /// The session.
    @available(*, deprecated, renamed: "session")
    public final var manager: Manager { session }

    /// Makes a provider; its session was called a manager.
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

    /// A session with the default headers, on the platform's transport.
    @available(*, deprecated, renamed: "defaultAlamofireSession()")
    public final class func defaultAlamofireManager() -> Manager { defaultAlamofireSession() }
}
