import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a ``RequestAdapter`` gets beside the request.
public struct RequestAdapterState: Sendable {
    /// The request's own number, the same for all its tries and hops.
    public let requestID: UUID
    /// The session that sends it.
    public let session: Session
    /// How often the request was repeated before: 0 for the first try.
    public let retryCount: Int
    /// How many redirects led here: 0 for the request as it was made.
    public let redirectCount: Int
    /// The value that the request is created from: the target, if a provider sends it.
    package let target: (any Sendable)?

    /// Makes a state, to test an adapter with.
    public init(requestID: UUID = UUID(), session: Session, retryCount: Int = 0, redirectCount: Int = 0) {
        self.requestID = requestID
        self.session = session
        self.retryCount = retryCount
        self.redirectCount = redirectCount
        target = nil
    }

    /// Makes the state of a request under way.
    init(of state: RequestState, session: Session) {
        requestID = state.id
        self.session = session
        (retryCount, redirectCount) = state.counts
        target = state.target
    }
}

/// Changes requests before they are sent: signs them, adds a token.
///
/// There are three forms; implement the one that suits. A session calls the `async` one, which by itself calls the one with
/// a state, which calls the one with a session, which leaves the request as it is.
///
///     struct VersionAdapter: RequestAdapter {
///         func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
///             var request = urlRequest
///             request.setValue("2", forHTTPHeaderField: "API-Version")
///             return request
///         }
///     }
///
/// A request is adapted for each try, and again for each redirect within the origin that it was made for. Across origins it
/// is not, so that no secret of one reaches another.
@preconcurrency
public protocol RequestAdapter: Sendable {
    /// Changes a request. The completion must be called; what comes after the first call is ignored.
    @preconcurrency
    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    )

    /// Changes a request. The completion must be called; what comes after the first call is ignored.
    @preconcurrency
    func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    )

    /// Changes a request. What is thrown fails it, and a retrier may be asked then. `CancellationError` ends the request with
    /// `URLError.cancelled`, and nobody is asked.
    func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest
}

extension RequestAdapter {
    /// The request as it is.
    @preconcurrency
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest))
    }

    /// Calls the form with a session.
    @preconcurrency
    public func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, for: state.session, completion: completion)
    }

    /// Calls the form with a state, and waits. Cancelling the task ends the wait with `URLError.cancelled`.
    public func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        let result = OneShot<Result<URLRequest, any Error>>()
        adapt(urlRequest, using: state) { result.fulfil($0) }
        return try await withTaskCancellationHandler {
            try await result.wait().get()
        } onCancel: {
            result.fulfil(.failure(URLError.cancelled(url: urlRequest.url)))
        }
    }
}
