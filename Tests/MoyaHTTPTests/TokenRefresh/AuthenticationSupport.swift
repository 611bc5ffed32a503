import Foundation
import HTTPTypes

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A credential that is identified by a number.
struct Token: AuthenticationCredential, Equatable {
    let number: Int
    var requiresRefresh = false
}

/// Writes the number into a header, counts refreshes, and refreshes as configured.
struct TokenAuthenticator: Authenticator {
    /// The refreshed credentials.
    let refreshed = Locked<[Token]>([])
    var refresh: @Sendable (Token, Session) async throws -> Token = { token, _ in Token(number: token.number + 1) }

    func apply(_ credential: Token, to urlRequest: inout URLRequest) {
        urlRequest.setValue("\(credential.number)", forHTTPHeaderField: "Token")
    }

    func refresh(_ credential: Token, for session: Session) async throws -> Token {
        refreshed.withLock { $0.append(credential) }
        return try await refresh(credential, session)
    }

    var count: Int { refreshed.withLock { $0.count } }
}

/// A transport that responds with a function.
struct StubTransport: HTTPTransport {
    var answer: @Sendable (TransportRequest) async throws -> TransportResponse = { _ in TransportResponse(status: 200) }

    func send(_ request: TransportRequest) async throws -> TransportResponse { try await answer(request) }

    func shutdown() async {}
}

extension AuthenticationInterceptor {
    /// An interceptor with a manual clock.
    convenience init(
        _ authenticator: A,
        _ credential: Credential?,
        window: MoyaHTTP.RefreshWindow? = MoyaHTTP.RefreshWindow(),
        clock: Locked<Duration> = Locked(.zero)
    ) {
        self.init(
            authenticator: authenticator,
            credential: credential,
            refreshWindow: window,
            now: { clock.withLock { $0 } }
        )
    }

    /// Returns when this many requests wait for a refresh.
    func waits(for count: Int) async {
        while shared.withLock({ $0.waiters.count }) != count { await Task.yield() }
    }

    /// Returns when no refresh is running.
    func isDone() async {
        while shared.withLock({ $0.state.isRefreshing }) { await Task.yield() }
    }

    func adapted(_ request: URLRequest = .some(), for session: Session = .fake) async throws -> URLRequest {
        try await adapt(request, using: RequestAdapterState(session: session))
    }

    func verdict(_ attempt: RequestAttempt, session: Session = .fake) async -> RetryVerdict {
        RetryVerdict(await retry(attempt, for: session))
    }

    /// Processes a request like a session.
    func exchange(_ request: URLRequest, in session: Session) async throws -> SessionResponse {
        let id = UUID()
        var retryCount = 0
        while true {
            let state = RequestAdapterState(requestID: id, session: session, retryCount: retryCount)
            let adapted = try await adapt(request, using: state)
            let response = try await session.data(for: adapted)
            let attempt = RequestAttempt(
                id: id,
                request: adapted,
                outcome: .response(status: response.statusCode, headers: response.headers),
                retryCount: retryCount
            )
            switch await retry(attempt, for: session) {
            case .retry: retryCount += 1
            case .doNotRetry, .retryWithDelay: return response
            case .doNotRetryWithError(let error): throw error
            }
        }
    }
}

extension Session {
    static let fake = Session(transport: StubTransport())
}

extension URLRequest {
    static func some(_ text: String = "https://api.example.com/a", token: Int? = nil) -> URLRequest {
        var request = URLRequest(url: URL(string: text) ?? URL(fileURLWithPath: "/"))
        if let token { request.setValue("\(token)", forHTTPHeaderField: "Token") }
        return request
    }

    var token: String? { value(forHTTPHeaderField: "Token") }
}

extension RequestAttempt {
    /// Creates an attempt of a request that was sent with a token and got this status.
    static func sent(
        _ token: Int?,
        status: Int = 401,
        id: UUID = UUID(),
        isBodyRepeatable: Bool = true
    ) -> RequestAttempt {
        RequestAttempt(
            id: id,
            request: .some(token: token),
            outcome: .response(status: status, headers: [:]),
            isBodyRepeatable: isBodyRepeatable
        )
    }
}

/// A comparable `RetryResult`.
enum RetryVerdict: Equatable {
    case retry
    case doNotRetry
    case authentication(AuthenticationError)
    case other(String)

    init(_ result: RetryResult) {
        switch result {
        case .retry: self = .retry
        case .doNotRetry: self = .doNotRetry
        case .retryWithDelay(let delay): self = .other("delay \(delay)")
        case .doNotRetryWithError(let error as AuthenticationError): self = .authentication(error)
        case .doNotRetryWithError(let error): self = .other("\(error)")
        }
    }
}

struct RefreshFailure: Error, Equatable, CustomStringConvertible {
    var description: String { "refresh failure" }
}
