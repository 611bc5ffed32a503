import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Knows one way to authenticate: how a credential is put on a request, how it is refreshed, and which answer says that
/// it was refused. An ``AuthenticationInterceptor`` decides when.
///
///     struct KeyAuthenticator: Authenticator {
///         func apply(_ credential: Key, to urlRequest: inout URLRequest) {
///             urlRequest.setValue(credential.text, forHTTPHeaderField: "API-Key")
///         }
///
///         func refresh(_ credential: Key, for session: Session) async throws -> Key { try await newKey(credential) }
///     }
///
/// For OAuth 2 there is ``OAuth2Authenticator``.
@preconcurrency
public protocol Authenticator: Sendable {
    /// What it authenticates with.
    associatedtype Credential: AuthenticationCredential

    /// Whether the credential is meant for a request. By itself: for every request.
    ///
    /// It is asked before a credential is looked for, and again before a refusal is looked at. A request that the credential
    /// is not meant for is sent as it is, also without a credential and while one is refreshed, and its refusal is left
    /// alone.
    func appliesTo(_ urlRequest: URLRequest) -> Bool

    /// Puts the credential on a request, in place of one that is there. What is thrown fails the request.
    func apply(_ credential: Credential, to urlRequest: inout URLRequest) throws

    /// Gets a new credential. The completion must be called; what comes after the first call is ignored.
    ///
    /// Implement this form or the `async` one. Requests that are made here, in the same task or in tasks that it
    /// starts, are left alone by the interceptor; one that is made on a dispatch queue is not, and would wait for
    /// itself.
    @preconcurrency
    func refresh(
        _ credential: Credential,
        for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    )

    /// Gets a new credential. What is thrown fails all requests that wait for it.
    func refresh(_ credential: Credential, for session: Session) async throws -> Credential

    /// Whether an answer says that the credential was refused. By itself: whether it is 401 (RFC 9110, section 15.5.2).
    ///
    /// It is asked where the status is 400 to 499, validated or not, and where the status was not to be accepted.
    ///
    /// - Parameter error: What the request would fail with, or an ``UnacceptableStatusError`` if it would not fail.
    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool

    /// Whether the outcome of a try says that the credential was refused. It is asked after every try.
    ///
    /// By itself it asks ``didRequest(_:with:failDueToAuthenticationError:)``. Implement it instead where failures
    /// without a response count too, or to save the cost of Foundation's response.
    func didRefuse(_ attempt: RequestAttempt) -> Bool

    /// Whether a request, as it was sent, has this very credential on it. If not, it is worth a try with this one.
    ///
    /// By itself: whether applying the credential would leave the request's URL and headers as they are. Implement it
    /// where the credential is put elsewhere, or comes out differently each time.
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

    /// Calls the form with a completion, and waits. Cancelling the task ends the wait with `CancellationError`.
    public func refresh(_ credential: Credential, for session: Session) async throws -> Credential {
        let result = OneShot<Result<Credential, any Error>>()
        refresh(credential, for: session) { result.fulfil($0) }
        return try await withTaskCancellationHandler {
            try await result.wait().get()
        } onCancel: {
            result.fulfil(.failure(CancellationError()))
        }
    }

    /// Whether the status is 401.
    public func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool {
        response.statusCode == 401
    }

    /// Asks the form with a response, where there is one that may be a refusal.
    public func didRefuse(_ attempt: RequestAttempt) -> Bool {
        // Foundation's response is costly, so it is not made for what went well.
        guard case .response(let status, let headers) = attempt.outcome,
            attempt.error != nil || (400...499).contains(status),
            let response = SessionResponse(request: attempt.request, statusCode: status, headers: headers)
                .makeHTTPURLResponse()
        else { return false }
        let error = attempt.error ?? UnacceptableStatusError(status: status)
        return didRequest(attempt.request, with: response, failDueToAuthenticationError: error)
    }

    /// Whether applying the credential would change nothing.
    public func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool {
        var applied = urlRequest
        guard (try? apply(credential, to: &applied)) != nil else { return false }
        return applied.url == urlRequest.url && applied.allHTTPHeaderFields == urlRequest.allHTTPHeaderFields
    }
}
