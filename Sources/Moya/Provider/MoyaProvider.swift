import Foundation

/// A client that converts targets into requests, sends or stubs them, and returns the results.
///
///     let provider = MoyaProvider<GitHub>()
///     let response = try await provider.request(.zen)
///
/// A provider can be used from any thread. A request keeps it alive until its completion has been called.
open class MoyaProvider<Target: TargetType>: MoyaProviderType {
    /// Creates an endpoint from a target.
    @preconcurrency
    public typealias EndpointClosure = @Sendable (Target) -> Endpoint

    /// Receives the request that was created from an endpoint.
    ///
    /// Only the first call counts.
    @preconcurrency
    public typealias RequestResultClosure = @Sendable (Result<URLRequest, MoyaError>) -> Void

    /// Creates a request from an endpoint, immediately or later, on any thread.
    @preconcurrency
    public typealias RequestClosure = @Sendable (Endpoint, @escaping RequestResultClosure) -> Void

    /// Returns whether and when a target is stubbed.
    @preconcurrency
    public typealias StubClosure = @Sendable (Target) -> Moya.StubBehavior

    /// Creates an endpoint from a target.
    public let endpointClosure: EndpointClosure
    /// Creates a request from an endpoint.
    @preconcurrency
    public let requestClosure: RequestClosure
    /// Returns whether and when a target is stubbed.
    public let stubClosure: StubClosure
    /// Sends requests that are not stubbed.
    public let session: Session
    /// The plugins, which see and change requests and results, in this order.
    public let plugins: [any PluginType]
    /// Whether equal requests that run at the same time are sent once.
    ///
    /// Downloads into files are not shared, because each has its own destination.
    public let trackInflights: Bool
    /// Adapts each request after the session's interceptor, and decides after it whether the request is retried.
    public let interceptor: (any RequestInterceptor)?
    /// The maximum times of requests whose targets set no others (``TimeLimitedTargetType``); they replace the session's.
    public let timeouts: RequestTimeouts

    package let callbackQueue: DispatchQueue?
    let clock: any Clock<Duration>
    /// Whether the provider is of a subclass, which may override requests.
    let isSubclass: Bool
    /// Whether the targets may limit their times.
    // A look-up of the conformance for each request would cost time.
    let hasTimeLimitedTargets = Target.self is any TimeLimitedTargetType.Type
    let hasRetryingTargets = Target.self is any RetryingTargetType.Type
    let hasIdempotentTargets = Target.self is any IdempotentTargetType.Type

    let inflight = InflightTable<Target>()

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - endpointClosure: Creates an endpoint from a target; it may add headers or sample responses.
    ///   - requestClosure: Creates a request from an endpoint; it may add a signature. It must call its closure once.
    ///   - stubClosure: Returns whether and when a target is stubbed: ``neverStub(_:)``, ``immediatelyStub(_:)``,
    ///     ``delayedStub(_:)`` or another closure.
    ///   - callbackQueue: The queue on which results arrive. Without one, most arrive on the main queue: see the table of
    ///     Documentation/Threading.md.
    ///   - session: Sends requests that are not stubbed.
    ///   - plugins: See and change requests and results, in this order.
    ///   - trackInflights: Whether equal requests that run at the same time are sent once.
    @preconcurrency
    public init(
        endpointClosure: @escaping EndpointClosure = MoyaProvider.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider.defaultRequestMapping,
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: DispatchQueue? = nil,
        session: Session = MoyaProvider<Target>.defaultAlamofireSession(),
        plugins: [any PluginType] = [],
        trackInflights: Bool = false
    ) {
        self.endpointClosure = endpointClosure
        self.requestClosure = requestClosure
        self.stubClosure = stubClosure
        self.callbackQueue = callbackQueue
        self.session = session
        self.plugins = plugins
        self.trackInflights = trackInflights
        isSubclass = type(of: self) != MoyaProvider<Target>.self
        interceptor = nil
        timeouts = RequestTimeouts()
        clock = ContinuousClock()
    }

    /// Creates a provider with its own interceptor, timeouts or clock.
    ///
    /// A call without one of these calls the initializer of Moya 15, which a subclass overrides:
    /// ``init(endpointClosure:requestClosure:stubClosure:callbackQueue:session:plugins:trackInflights:)``.
    ///
    /// - Parameters:
    ///   - endpointClosure: Creates an endpoint from a target; it may add headers or sample responses.
    ///   - requestClosure: Creates a request from an endpoint; it may add a signature. It must call its closure once.
    ///   - stubClosure: Returns whether and when a target is stubbed.
    ///   - callbackQueue: The queue on which results arrive.
    ///   - session: Sends requests that are not stubbed.
    ///   - plugins: See and change requests and results, in this order.
    ///   - trackInflights: Whether equal requests that run at the same time are sent once.
    ///   - interceptor: Adapts each request after the session's interceptor and before the plugins, and decides after the session's
    ///     whether the request is retried.
    ///   - timeouts: Replace those of the session; a target's replace them (``TimeLimitedTargetType``).
    ///   - clock: The clock of delayed stubs, so that tests need not wait.
    @preconcurrency
    public init(
        endpointClosure: @escaping EndpointClosure = MoyaProvider.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = MoyaProvider.defaultRequestMapping,
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: DispatchQueue? = nil,
        session: Session = MoyaProvider<Target>.defaultAlamofireSession(),
        plugins: [any PluginType] = [],
        trackInflights: Bool = false,
        interceptor: (any RequestInterceptor)? = nil,
        timeouts: RequestTimeouts = RequestTimeouts(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.endpointClosure = endpointClosure
        self.requestClosure = requestClosure
        self.stubClosure = stubClosure
        self.callbackQueue = callbackQueue
        self.session = session
        self.plugins = plugins
        self.trackInflights = trackInflights
        isSubclass = type(of: self) != MoyaProvider<Target>.self
        self.interceptor = interceptor
        self.timeouts = timeouts
        self.clock = clock
    }

    /// Returns the endpoint of a target, created by ``endpointClosure``.
    open func endpoint(_ token: Target) -> Endpoint { endpointClosure(token) }

    /// The requests in flight and their completions, if ``trackInflights`` is on.
    ///
    /// A request is in flight until its last completion has returned.
    @available(swift, introduced: 6.0)
    open var inflightRequests: [Endpoint: [Moya.Completion]] { inflight.completions }

    /// The requests in flight and their completions, if ``trackInflights`` is on.
    ///
    /// A request is in flight until its last completion has returned.
    // The declaration for callers and overrides in Swift 5 mode, where @preconcurrency does not apply to functions in
    // an array.
    @available(swift, obsoleted: 6.0)
    open var inflightRequests: [Endpoint: [(_ result: Result<Moya.Response, MoyaError>) -> Void]] {
        // The functions are converted one by one: a cast between arrays of functions that differ only in @Sendable traps at
        // run time.
        inflight.completions.mapValues { completions in completions.map { completion in completion } }
    }

    /// Requests a target.
    ///
    /// - Parameters:
    ///   - target: The target to request.
    ///   - callbackQueue: The queue on which progress and the result arrive; replaces the provider's.
    ///   - progress: Called as the response arrives or, for an upload, as the body is read to be sent, and once at the end of a
    ///     request that was sent or stubbed; never after that.
    ///   - completion: Called exactly once, also for cancelled requests.
    /// - Returns: A token that cancels the request. The result is then ``MoyaError/underlying(_:_:)`` with
    ///   `URLError.cancelled`.
    @preconcurrency
    @discardableResult
    open func request(
        _ target: Target,
        callbackQueue: DispatchQueue? = .none,
        progress: ProgressBlock? = .none,
        completion: @escaping Completion
    ) -> any Cancellable {
        requestNormal(
            target,
            callbackQueue: callbackQueue ?? self.callbackQueue,
            progress: progress,
            completion: completion
        )
    }

    /// Requests a target, without using the provider's callback queue.
    ///
    /// - Parameters:
    ///   - target: The target to request.
    ///   - callbackQueue: The queue on which progress and the result arrive. Without one, most arrive on the main queue: see the table of
    ///     Documentation/Threading.md.
    ///   - progress: Called as for ``request(_:callbackQueue:progress:completion:)``.
    ///   - completion: Called exactly once, also for cancelled requests.
    /// - Returns: A token that cancels the request.
    @preconcurrency
    public func requestNormal(
        _ target: Target,
        callbackQueue: DispatchQueue?,
        progress: Moya.ProgressBlock?,
        completion: @escaping Moya.Completion
    ) -> any Cancellable {
        let endpoint = endpoint(target)
        let stubBehavior = stubClosure(target)
        func makeRequest(sharing shared: SharedRequest?) -> ProviderRequest<Target> {
            ProviderRequest(
                target,
                endpoint: endpoint,
                plugins: plugins,
                stubBehavior: stubBehavior,
                queue: callbackQueue,
                progress: progress,
                shared: shared,
                caller: .completion(completion)
            )
        }
        if trackInflights { return share(endpoint) { makeRequest(sharing: $0) } }
        let request = makeRequest(sharing: nil)
        start(request)
        return request.token
    }

    /// Completes a request with the endpoint's sample response, without sending it.
    ///
    /// The provider calls it for every stubbed request.
    ///
    /// An override must call ``notifyPluginsOfImpendingStub(for:target:)``, pass the request that it returns to
    /// ``createStubFunction(_:forTarget:withCompletion:endpoint:plugins:request:)``, and call the resulting function once.
    /// ``StubBehavior/never`` is invalid here: the completion gets an error.
    @preconcurrency
    @discardableResult
    open func stubRequest(
        _ target: Target,
        request: URLRequest,
        callbackQueue: DispatchQueue?,
        completion: @escaping Moya.Completion,
        endpoint: Endpoint,
        stubBehavior: Moya.StubBehavior
    ) -> CancellableToken {
        performStub(
            target,
            request: request,
            callbackQueue: callbackQueue ?? self.callbackQueue,
            completion: completion,
            endpoint: endpoint,
            stubBehavior: stubBehavior
        )
    }
}

// The conformance is unchecked because the compiler can't check an open class: every property here is constant and Sendable,
// and a subclass is responsible for its properties. It is left out in Swift 5 mode, where a subclass that does not restate it
// would get a warning, and a subclass that was written for Moya 15 cannot restate it.
@available(swift, introduced: 6.0)
extension MoyaProvider: @unchecked Sendable {}
