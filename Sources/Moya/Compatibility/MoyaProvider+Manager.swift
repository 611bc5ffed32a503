import Foundation

// Names of Moya 13 and older, when a session was a manager.
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
