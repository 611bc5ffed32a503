import Foundation

/// An interceptor that adds a credential to requests, refreshes it when it has expired or is rejected, and repeats
/// rejected requests.
///
///     let oauth2 = OAuth2Authenticator(
///         tokenURL: tokenURL,
///         client: .public(id: "app"),
///         origins: [GitHub.zen.baseURL]
///     ) { await keychain.store($0) }
///     let interceptor = AuthenticationInterceptor(authenticator: oauth2, credential: await keychain.load())
///     let provider = MoyaProvider<GitHub>(session: Session(interceptor: interceptor))
///     // If the token has expired, it is refreshed once, and all requests that were rejected are repeated.
///     let response = try await provider.request(.userProfile("ashfurrow"))
///
/// - Without a credential, requests fail with ``AuthenticationError/missingCredential``. Set ``credential`` at
///   login, and set it to `nil` at logout.
/// - Requests that the credential is not meant for (``Authenticator/appliesTo(_:)``) are not changed.
/// - There is one refresh at a time. Requests that need it wait for it. They are repeated when it succeeds, and
///   fail with its error otherwise, each once. The next request after a failure starts another refresh.
/// - A refresh runs in its own task. Cancelling a request ends its wait, but not the refresh, even if no other
///   request waits for it.
/// - A request that is rejected with a credential that was refreshed for it fails with
///   ``AuthenticationError/excessiveRefresh``, unless other requests have also used the credential and may have used it up.
///   Then the credential is refreshed again.
/// - A request fails with the same error if it needs more refreshes than the ``RefreshWindow`` allows.
/// - A request whose body can be read only once is not repeated. Its rejection starts a refresh for later requests.
/// - A credential that is set during a refresh takes precedence: the refresh is cancelled, its result is discarded,
///   and the waiting requests continue with the new credential.
/// - Requests that a refresh makes in its own task are not changed, whatever session they use. They are sent
///   without the credential and do not wait for the refresh that they are part of.
public final class AuthenticationInterceptor<A: Authenticator>: RequestInterceptor {
    /// The type of the credential.
    public typealias Credential = A.Credential
    /// The limit on the number of refreshes.
    public typealias RefreshWindow = MoyaHTTP.RefreshWindow

    struct Shared: Sendable {
        var state: RefreshState
        var credential: Credential?
        var waiters: [Int: Promise<Ending>] = [:]
        /// The task of the running refresh.
        var refresh: Task<Void, Never>?

        mutating func take(_ numbers: Set<Int>) -> [Promise<Ending>] {
            numbers.compactMap { waiters.removeValue(forKey: $0) }
        }
    }

    /// The result of waiting for a refresh.
    enum Ending: Sendable {
        /// The refresh returned the credential of this generation.
        case succeeded(generation: Int)
        case failed(any Error)
        /// The credential was set by the application.
        case credentialSet
        case cancelled
    }

    /// The authenticator.
    public let authenticator: A
    let id = UUID()
    let shared: Locked<Shared>
    private let now: @Sendable () -> Duration

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - authenticator: The authenticator.
    ///   - credential: The credential; `nil` until the user has logged in.
    ///   - refreshWindow: The limit on the number of refreshes. With `nil` only the limit for each request applies, which is
    ///     five refreshes.
    public convenience init(
        authenticator: A,
        credential: Credential? = nil,
        refreshWindow: RefreshWindow? = RefreshWindow(interval: 30, maximumAttempts: 5)
    ) {
        let start = ContinuousClock.now
        self.init(
            authenticator: authenticator,
            credential: credential,
            refreshWindow: refreshWindow,
            now: { start.duration(to: .now) }
        )
    }

    /// Creates an interceptor with a custom clock.
    package init(
        authenticator: A,
        credential: Credential?,
        refreshWindow: RefreshWindow?,
        now: @escaping @Sendable () -> Duration
    ) {
        self.authenticator = authenticator
        self.now = now
        shared = Locked(Shared(state: RefreshState(window: refreshWindow), credential: credential))
    }

    /// The credential for requests: the one that was set last, or the result of a later refresh.
    ///
    /// Setting it cancels a running refresh. Requests that wait for the refresh continue with the new credential,
    /// or fail with ``AuthenticationError/missingCredential`` if it is `nil`.
    public var credential: Credential? {
        get { shared.withLock { $0.credential } }
        set {
            let (waiters, refresh) = shared.withLock { shared in
                shared.credential = newValue
                defer { shared.refresh = nil }
                return (shared.take(shared.state.replaceCredential()), shared.refresh)
            }
            refresh?.cancel()
            waiters.forEach { $0.fulfill(.credentialSet) }
        }
    }

    // MARK: Adapting

    /// Adds the credential to the request, after refreshing it if required.
    ///
    /// - Throws: ``AuthenticationError``, the error of the refresh, the error of the authenticator when it applies
    ///   the credential, or `URLError.cancelled`.
    public func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        guard !RefreshMark.isInside(id), authenticator.appliesTo(urlRequest) else { return urlRequest }
        let credential = try await validCredential(for: state, url: urlRequest.url)
        var urlRequest = urlRequest
        try authenticator.apply(credential, to: &urlRequest)
        return urlRequest
    }

    /// Calls the `async` form.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, using: RequestAdapterState(session: session), completion: completion)
    }

    /// Calls the `async` form.
    public func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        Task {
            do {
                completion(.success(try await adapt(urlRequest, using: state)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    private func validCredential(for request: RequestAdapterState, url: URL?) async throws -> Credential {
        // A credential that has just been refreshed is used even if it requires a refresh: another one would not be
        // better.
        var refreshed: Int?
        while true {
            let (current, generation, users, isRefreshing) = shared.withLock {
                ($0.credential, $0.state.generation, $0.state.users, $0.state.isRefreshing)
            }
            guard let current else { throw AuthenticationError.missingCredential }
            let isStale = generation != refreshed && current.requiresRefresh
            guard isStale || isRefreshing else {
                // In most cases several requests have used the credential already, and nothing must be recorded.
                if users != .several {
                    shared.withLock { $0.state.recordUse(by: request.requestID, generation: generation) }
                }
                return current
            }
            let time = now()
            let (action, waiter) = decide {
                $0.handleRequest(requiresRefresh: isStale, generation: generation, at: time)
            }
            switch action {
            case .proceed, .leave:
                // The refresh has ended, or the credential has changed since.
                continue
            case .fail(let error):
                throw error
            case .wait(let number):
                refreshed = try await wait(as: number, waiter, url: url)
            case .refresh(let refresh, let number):
                startRefresh(refresh, of: current, for: request.session)
                refreshed = try await wait(as: number, waiter, url: url)
            }
        }
    }

    /// Returns the generation of the refreshed credential, or `nil` if the application has set a credential.
    private func wait(as number: Int, _ waiter: Promise<Ending>, url: URL?) async throws -> Int? {
        switch await waitForEnding(of: waiter, number) {
        case .succeeded(let generation): generation
        case .credentialSet: nil
        case .failed(let error): throw error
        case .cancelled: throw URLError.cancelled(url: url)
        }
    }

    // MARK: Retrying

    /// Returns whether to repeat a request: if its credential was rejected and another one is available, now or
    /// after a refresh.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        if RefreshMark.isInside(id) { return .doNotRetry }
        guard authenticator.appliesTo(attempt.request), authenticator.didRefuse(attempt) else {
            shared.withLock { $0.state.finishRequest(attempt.id) }
            return .doNotRetry
        }
        let (current, generation) = shared.withLock { ($0.credential, $0.state.generation) }
        guard let current else { return .doNotRetryWithError(AuthenticationError.missingCredential) }
        let isCurrent = authenticator.isRequest(attempt.request, authenticatedWith: current)
        let time = now()
        let (action, waiter) = decide {
            $0.handleRejection(of: attempt.id, isCurrent: isCurrent, generation: generation, at: time)
        }
        switch action {
        case .proceed: return .retry
        case .leave: return .doNotRetry
        case .fail(let error): return .doNotRetryWithError(error)
        case .wait(let number): return await result(of: waiter, number, attempt)
        case .refresh(let refresh, let number):
            startRefresh(refresh, of: current, for: session)
            return await result(of: waiter, number, attempt)
        }
    }

    private func result(of waiter: Promise<Ending>, _ number: Int, _ attempt: RequestAttempt) async -> RetryResult {
        // The request cannot be repeated, so waiting is useless.
        if !attempt.isBodyRepeatable { waiter.fulfill(.cancelled) }
        let result: RetryResult =
            switch await waitForEnding(of: waiter, number) {
            case .succeeded: .retry
            case .credentialSet:
                credential == nil ? .doNotRetryWithError(AuthenticationError.missingCredential) : .retry
            case .failed(let error): .doNotRetryWithError(error)
            case .cancelled: .doNotRetry
            }
        if case .retry = result { return result }
        shared.withLock { $0.state.finishRequest(attempt.id) }
        return result
    }
}

extension AuthenticationInterceptor {
    /// Passes an event to the state machine, and creates the waiter that the resulting action may need.
    func decide(
        _ event: @Sendable (inout RefreshState) -> RefreshState.Action
    ) -> (RefreshState.Action, Promise<Ending>) {
        let waiter = Promise<Ending>()
        let action = shared.withLock { shared in
            let action = event(&shared.state)
            switch action {
            case .wait(let number), .refresh(_, let number): shared.waiters[number] = waiter
            case .proceed, .leave, .fail: break
            }
            return action
        }
        return (action, waiter)
    }

    func startRefresh(_ refresh: Int, of credential: Credential, for session: Session) {
        // The refresh has a separate task, so that the cancellation of the request that starts it does not affect the others.
        let task = Task { [self] in
            let result = await RefreshMark.mark(id) { () async -> Result<Credential, any Error> in
                do {
                    return .success(try await authenticator.refresh(credential, for: session))
                } catch {
                    return .failure(error)
                }
            }
            endRefresh(refresh, result)
        }
        let isWanted = shared.withLock { shared in
            let isRunning = shared.state.isRunning(refresh)
            if isRunning { shared.refresh = task }
            return isRunning
        }
        if !isWanted { task.cancel() }
    }

    private func endRefresh(_ refresh: Int, _ result: Result<Credential, any Error>) {
        let (waiters, ending): ([Promise<Ending>], Ending) = shared.withLock { shared in
            switch result {
            case .success(let credential):
                guard let numbers = shared.state.finishRefresh(refresh) else { return ([], .credentialSet) }
                shared.credential = credential
                shared.refresh = nil
                return (shared.take(numbers), .succeeded(generation: shared.state.generation))
            case .failure(let error):
                guard let numbers = shared.state.failRefresh(refresh) else { return ([], .credentialSet) }
                shared.refresh = nil
                return (shared.take(numbers), .failed(error))
            }
        }
        waiters.forEach { $0.fulfill(ending) }
    }

    /// Waits for the running refresh, until the task is cancelled.
    func waitForEnding(of waiter: Promise<Ending>, _ number: Int) async -> Ending {
        let ending = await waiter.wait(onCancel: .cancelled)
        if case .cancelled = ending {
            shared.withLock { shared in
                shared.state.removeWaiter(number)
                shared.waiters[number] = nil
            }
        }
        return ending
    }
}
