import Foundation

/// A type that modifies requests before they are sent, for example to sign them or to add a token.
///
/// Implement one of the three methods. A session calls the `async` method. Its default implementation calls the
/// method with a state, which calls the method with a session, which returns the request unchanged.
///
///     struct VersionAdapter: RequestAdapter {
///         func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
///             var request = urlRequest
///             request.setValue("2", forHTTPHeaderField: "API-Version")
///             return request
///         }
///     }
///
/// A request is adapted for each attempt, and again for each redirect within its original origin. It is not adapted again after a
/// redirect to another origin, which gets the headers of the earlier adaptation except those that belong to one origin, such as
/// `Authorization`, and the ``RedirectOptions/sensitiveHeaders``.
@preconcurrency
public protocol RequestAdapter: Sendable {
    /// Modifies a request.
    ///
    /// The completion must be called; only the first call counts.
    @preconcurrency
    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    )

    /// Modifies a request.
    ///
    /// The completion must be called; only the first call counts.
    @preconcurrency
    func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    )

    /// Modifies a request.
    ///
    /// A thrown error fails the request, which a retrier may repeat. `CancellationError` ends the request with
    /// `URLError.cancelled` and without a retry.
    func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest
}

extension RequestAdapter {
    /// Returns the request unchanged.
    @preconcurrency
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest))
    }

    /// Calls the method with a session.
    @preconcurrency
    public func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, for: state.session, completion: completion)
    }

    /// Calls the method with a state and waits for it.
    ///
    /// Cancelling the task ends the wait with `URLError.cancelled`.
    public func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        let result = Promise<Result<URLRequest, any Error>>()
        adapt(urlRequest, using: state) { result.fulfill($0) }
        return try await result.wait(onCancel: .failure(URLError.cancelled(url: urlRequest.url))).get()
    }
}
