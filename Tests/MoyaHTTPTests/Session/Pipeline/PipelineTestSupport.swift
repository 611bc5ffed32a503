import Foundation
import TestServers

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The events, line by line.
struct TestLog: Sendable {
    private let log = Locked<[String]>([])

    var lines: [String] { log.withLock { $0 } }

    func note(_ line: String) { log.withLock { $0.append(line) } }
}

/// An interceptor with two functions.
struct TestInterceptor: RequestInterceptor {
    var onAdapt: @Sendable (URLRequest, RequestAdapterState) async throws -> URLRequest = { request, _ in request }
    var onRetry: @Sendable (RequestAttempt) async -> RetryResult = { _ in .doNotRetry }

    func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        try await onAdapt(urlRequest, state)
    }

    func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult { await onRetry(attempt) }

    /// Retries failures and statuses of 500 and above a number of times.
    static func repeating(_ times: Int, _ result: RetryResult = .retry) -> TestInterceptor {
        TestInterceptor(onRetry: { attempt in
            guard attempt.retryCount < times else { return .doNotRetry }
            if case .response(let status, _) = attempt.outcome, status < 500 { return .doNotRetry }
            return result
        })
    }
}

/// A preparation with a function.
struct TestPreparation: RequestPreparation {
    let change: @Sendable (URLRequest) throws -> URLRequest

    func prepare(_ request: URLRequest, record: RequestRecord) throws -> URLRequest { try change(request) }
}

/// A clock that stands still: waits end immediately, or with the waiting task.
struct WaitClock: Clock {
    let isEndless: Bool
    /// Fulfilled when a wait begins.
    let began = Promise<Void>()
    private let waited = Locked<[Duration]>([])

    init(isEndless: Bool = false) { self.isEndless = isEndless }

    /// The requested waits.
    var waits: [Duration] { waited.withLock { $0 } }

    var now: HandClock.Instant { HandClock.Instant(offset: .zero) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: HandClock.Instant, tolerance: Duration?) async throws {
        waited.withLock { $0.append(deadline.offset) }
        began.fulfill(())
        if isEndless { try await Task.sleep(for: .seconds(86_400)) }
    }
}

extension TransportKind {
    /// Runs a test with a transport and a server that responds with a function.
    func withReactingServer(
        _ react: @escaping @Sendable (ReactingServer.Received) async -> ReactingServer.Reaction,
        _ body: (any HTTPTransport, ReactingServer) async throws -> Void
    ) async throws {
        let server = try await ReactingServer(react)
        try await withTransport { transport in try await body(transport, server) }
        await server.shutDown()
    }
}

extension ReactingServer {
    /// Creates a request for the server.
    func request(_ path: String = "/", method: String = "GET") -> URLRequest {
        var request = URLRequest(url: url(path))
        request.httpMethod = method
        return request
    }

    /// Returns the values of a header in all requests.
    func values(of name: String) -> [String?] { requests.map { $0.head[name] } }
}

extension RequestAttempt {
    /// The status or the error, and the number of retries.
    var summary: String {
        switch outcome {
        case .response(let status, _): "\(status) #\(retryCount)"
        case .failure(let error as URLError): "\(error.code.rawValue) #\(retryCount)"
        case .failure(let error): "\(error) #\(retryCount)"
        }
    }
}

/// The error of a test's interceptor.
struct TestFailure: Error, Equatable {}

/// Whether it is the error of a cancelled request.
func isCancelled(_ error: (any Error)?) -> Bool { (error as? URLError)?.code == .cancelled }
