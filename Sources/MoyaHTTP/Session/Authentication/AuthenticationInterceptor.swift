import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Puts a credential on every request, refreshes it when it has expired or is refused, and repeats what was refused.
///
///     let oauth2 = OAuth2Authenticator(tokenURL: tokenURL, client: .public(id: "app")) { await keychain.store($0) }
///     let interceptor = AuthenticationInterceptor(authenticator: oauth2, credential: await keychain.load())
///     let provider = MoyaProvider<GitHub>(session: Session(interceptor: interceptor))
///     // The token has expired? One refresh, however many requests find that out together, and each is repeated.
///     let response = try await provider.request(.userProfile("ashfurrow"))
///
/// - Without a credential a request fails with ``AuthenticationError/missingCredential``. Set ``credential`` at log-in,
///   and to `nil` at log-out.
/// - A request that the authenticator's credential is not meant for (``Authenticator/appliesTo(_:)``) is left alone.
/// - There is one refresh at a time. Requests that need it wait for it; they are repeated when it succeeds, and fail
///   with its error when it fails, each once. The next request after that tries anew.
/// - A refresh runs in a task of its own. Cancelling a request ends its wait, and the refresh goes on; also if nobody
///   is left who waits.
/// - A request that is refused with the refreshed credential too, and any more refreshes than the ``RefreshWindow``
///   allows, fail with ``AuthenticationError/excessiveRefresh``.
/// - A request whose body can be read only once is not repeated. Its refusal starts the refresh, for those that follow.
/// - A credential that is set while a refresh runs wins: the refresh is cancelled and what it brings is dropped, and
///   who has waited for it goes on with the one that was set.
/// - Requests that a refresh makes in its own task are left alone, whatever session they use: they are sent without the
///   credential, and do not wait for the refresh that they are.
public final class AuthenticationInterceptor<A: Authenticator>: RequestInterceptor {
    /// What it authenticates with.
    public typealias Credential = A.Credential
    /// How often a credential may be refreshed.
    public typealias RefreshWindow = MoyaHTTP.RefreshWindow

    struct Shared: Sendable {
        var state: RefreshState
        var credential: Credential?
        var waiters: [Int: OneShot<Ending>] = [:]
        /// The task of the refresh that runs.
        var refresh: Task<Void, Never>?

        mutating func take(_ numbers: Set<Int>) -> [OneShot<Ending>] {
            numbers.compactMap { waiters.removeValue(forKey: $0) }
        }
    }

    /// How a wait for a refresh ends.
    enum Ending: Sendable {
        /// The refresh has brought the credential of this generation.
        case succeeded(generation: Int)
        case failed(any Error)
        /// The credential was set from outside.
        case credentialSet
        case cancelled
    }

    /// Knows how to authenticate.
    public let authenticator: A
    let id = UUID()
    let shared: Locked<Shared>
    private let now: @Sendable () -> Duration

    /// Makes an interceptor.
    ///
    /// - Parameters:
    ///   - authenticator: Knows how to authenticate.
    ///   - credential: `nil` as long as nobody has logged in.
    ///   - refreshWindow: How often the credential may be refreshed; with `nil` there is no limit but the one that
    ///     every request has by itself.
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

    /// Makes an interceptor that is told the time.
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

    /// The credential that requests are sent with: the one that was set last, or what a refresh has brought since.
    ///
    /// Setting it ends a refresh that runs, and lets those that wait for it go on with this one. With `nil` they fail
    /// with ``AuthenticationError/missingCredential``.
    public var credential: Credential? {
        get { shared.withLock { $0.credential } }
        set {
            let (waiters, refresh) = shared.withLock { shared in
                shared.credential = newValue
                defer { shared.refresh = nil }
                return (shared.take(shared.state.credentialSet()), shared.refresh)
            }
            refresh?.cancel()
            waiters.forEach { $0.fulfil(.credentialSet) }
        }
    }

    // MARK: Adapting

    /// Puts the credential on the request, refreshed before if it must be.
    ///
    /// - Throws: ``AuthenticationError``, what the refresh fails with, what the authenticator throws when it applies
    ///   the credential, or `URLError.cancelled`.
    public func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        guard !RefreshMark.isInside(id), authenticator.appliesTo(urlRequest) else { return urlRequest }
        let credential = try await validCredential(for: state.session, url: urlRequest.url)
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

    private func validCredential(for session: Session, url: URL?) async throws -> Credential {
        // What a refresh has just brought is used whatever it says of itself: another one would not be better.
        var refreshed: Int?
        while true {
            let (current, generation, isRefreshing) = shared.withLock {
                ($0.credential, $0.state.generation, $0.state.isRefreshing)
            }
            guard let current else { throw AuthenticationError.missingCredential }
            let isStale = generation != refreshed && current.requiresRefresh
            guard isStale || isRefreshing else { return current }
            let time = now()
            let (action, waiter) = decide { $0.requested(requiresRefresh: isStale, seen: generation, at: time) }
            switch action {
            case .proceed, .leave:
                if !isStale { return current }
            case .fail(let error):
                throw error
            case .wait(let number):
                refreshed = try await wait(as: number, waiter, url: url)
            case .refresh(let refresh, let number):
                start(refresh, of: current, for: session)
                refreshed = try await wait(as: number, waiter, url: url)
            }
        }
    }

    /// Returns the generation that a refresh has brought, or `nil` if the credential was set from outside.
    private func wait(as number: Int, _ waiter: OneShot<Ending>, url: URL?) async throws -> Int? {
        switch await ending(of: waiter, number) {
        case .succeeded(let generation): generation
        case .credentialSet: nil
        case .failed(let error): throw error
        case .cancelled: throw URLError.cancelled(url: url)
        }
    }

    // MARK: Retrying

    /// Says that a request is repeated if its credential was refused and there is another one, now or after a refresh.
    public func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
        if RefreshMark.isInside(id) { return .doNotRetry }
        guard authenticator.appliesTo(attempt.request), authenticator.didRefuse(attempt) else {
            shared.withLock { $0.state.ended(attempt.id) }
            return .doNotRetry
        }
        let (current, generation) = shared.withLock { ($0.credential, $0.state.generation) }
        guard let current else { return .doNotRetryWithError(AuthenticationError.missingCredential) }
        let isCurrent = authenticator.isRequest(attempt.request, authenticatedWith: current)
        let time = now()
        let (action, waiter) = decide {
            $0.refused(attempt.id, isCurrent: isCurrent, seen: generation, at: time)
        }
        switch action {
        case .proceed: return .retry
        case .leave: return .doNotRetry
        case .fail(let error): return .doNotRetryWithError(error)
        case .wait(let number): return await result(of: waiter, number, attempt)
        case .refresh(let refresh, let number):
            start(refresh, of: current, for: session)
            return await result(of: waiter, number, attempt)
        }
    }

    private func result(of waiter: OneShot<Ending>, _ number: Int, _ attempt: RequestAttempt) async -> RetryResult {
        // Nothing can be gained for this request by waiting.
        if !attempt.isBodyRepeatable { waiter.fulfil(.cancelled) }
        let result: RetryResult =
            switch await ending(of: waiter, number) {
            case .succeeded: .retry
            case .credentialSet:
                credential == nil ? .doNotRetryWithError(AuthenticationError.missingCredential) : .retry
            case .failed(let error): .doNotRetryWithError(error)
            case .cancelled: .doNotRetry
            }
        if case .retry = result { return result }
        shared.withLock { $0.state.ended(attempt.id) }
        return result
    }
}
