import Foundation
import HTTPTypes

/// An authentication scheme: applies credentials to requests, refreshes them, and detects responses that reject
/// them.
///
/// An ``AuthenticationInterceptor`` decides when these methods are called.
///
///     struct KeyAuthenticator: Authenticator {
///         func apply(_ credential: Key, to urlRequest: inout URLRequest) {
///             urlRequest.setValue(credential.text, forHTTPHeaderField: "API-Key")
///         }
///
///         func refresh(_ credential: Key, for session: Session) async throws -> Key { try await newKey(credential) }
///     }
///
/// For OAuth 2, use ``OAuth2Authenticator``.
@preconcurrency
public protocol Authenticator: Sendable {
    /// The type of the credential.
    associatedtype Credential: AuthenticationCredential

    /// Returns whether the credential is meant for a request.
    ///
    /// The default implementation returns true. The method is called before the credential is read and before a
    /// response is examined. Other requests are sent unchanged, even without a credential or during a refresh, and
    /// their responses are ignored.
    func appliesTo(_ urlRequest: URLRequest) -> Bool

    /// Adds the credential to a request, replacing an existing one.
    ///
    /// A thrown error fails the request.
    func apply(_ credential: Credential, to urlRequest: inout URLRequest) throws

    /// Refreshes a credential.
    ///
    /// The completion must be called; only the first call counts. Implement this form or the `async` one.
    ///
    /// Requests that the method makes in the same task, or in tasks that it starts, are not changed by the
    /// interceptor. A request made on a dispatch queue is not recognized and would wait for itself.
    @preconcurrency
    func refresh(
        _ credential: Credential,
        for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    )

    /// Refreshes a credential.
    ///
    /// A thrown error fails all requests that wait for it.
    func refresh(_ credential: Credential, for session: Session) async throws -> Credential

    /// Returns whether a response rejects the credential.
    ///
    /// The default implementation returns whether the status is 401 (RFC 9110, section 15.5.2). The method is
    /// called for status codes from 400 to 499, validated or not, and for other unacceptable status codes. `error`
    /// is the error of the request, or an ``UnacceptableStatusError`` if it did not fail.
    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool

    /// Returns whether the outcome of an attempt rejects the credential.
    ///
    /// The method is called after every attempt. The default implementation calls
    /// ``didRequest(_:with:failDueToAuthenticationError:)``. Implement it instead if failures without a response
    /// count, too, or to avoid the cost of creating an `HTTPURLResponse`.
    func didRefuse(_ attempt: RequestAttempt) -> Bool

    /// Returns whether a request was sent with this credential.
    ///
    /// If not, the request is repeated with it.
    /// The default implementation returns whether applying the credential would leave the URL and the headers
    /// unchanged. Implement it if the credential is stored elsewhere in the request, or differs each time.
    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool
}

extension Authenticator {
    /// Returns true.
    public func appliesTo(_ urlRequest: URLRequest) -> Bool { true }

    /// Fails with ``AuthenticationError/refreshNotImplemented``.
    @preconcurrency
    public func refresh(
        _ credential: Credential,
        for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    ) {
        completion(.failure(AuthenticationError.refreshNotImplemented))
    }

    /// Calls the form with a completion and waits for it.
    ///
    /// Cancelling the task ends the wait with `CancellationError`.
    public func refresh(_ credential: Credential, for session: Session) async throws -> Credential {
        let result = Promise<Result<Credential, any Error>>()
        refresh(credential, for: session) { result.fulfill($0) }
        return try await result.wait(onCancel: .failure(CancellationError())).get()
    }

    /// Returns whether the status is 401.
    public func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool {
        response.statusCode == 401
    }

    /// Calls ``didRequest(_:with:failDueToAuthenticationError:)`` if there is a response that may reject the
    /// credential.
    public func didRefuse(_ attempt: RequestAttempt) -> Bool {
        // Creating an `HTTPURLResponse` is expensive, so successful responses are skipped.
        guard case .response(let status, let headers) = attempt.outcome,
            attempt.error != nil || (400...499).contains(status),
            let response = SessionResponse(request: attempt.request, statusCode: status, headers: headers)
                .makeHTTPURLResponse()
        else { return false }
        let error = attempt.error ?? UnacceptableStatusError(status: status)
        return didRequest(attempt.request, with: response, failDueToAuthenticationError: error)
    }

    /// Returns whether applying the credential would not change the request.
    public func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool {
        var applied = urlRequest
        guard (try? apply(credential, to: &applied)) != nil else { return false }
        return applied.url == urlRequest.url && applied.allHTTPHeaderFields == urlRequest.allHTTPHeaderFields
    }
}

/// A credential that authenticates requests, such as a token or a signing key.
@preconcurrency
public protocol AuthenticationCredential: Sendable {
    /// Whether the credential must be refreshed before it is used, because it has expired or will expire soon.
    ///
    /// The property is read before every request, so it must be fast.
    var requiresRefresh: Bool { get }
}
