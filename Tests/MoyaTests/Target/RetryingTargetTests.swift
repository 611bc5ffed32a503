import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A target chooses the retrier of its requests")
struct RetryingTargetTests {
    /// A target with a choice.
    private struct Choosing: RetryingTargetType {
        var retryChoice = RetryChoice.inherited
        var method = Moya.Method.get
        var baseURL: URL { URL(string: "http://h.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    private struct Plain: TargetType {
        var baseURL: URL { URL(string: "http://h.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    /// A retrier that repeats a request after a 401, as one that refreshes a token.
    private struct Refresh: RequestRetrier {
        func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
            if case .response(401, _) = attempt.outcome { .retry } else { .doNotRetry }
        }
    }

    /// An interceptor that adapts requests, and never retries.
    private struct Marking: RequestInterceptor {
        func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
            var request = urlRequest
            request.setValue("yes", forHTTPHeaderField: "X-Marked")
            return request
        }
    }

    private static func policy(_ limit: UInt) -> RetryPolicy {
        RetryPolicy(retryLimit: limit, exponentialBackoffScale: 0, budget: nil)
    }

    /// The places of policies, and the number of attempts of a request that always fails.
    struct Row: Sendable, CustomTestStringConvertible {
        var choice: RetryChoice
        var session: UInt?
        var resilience: UInt?
        var provider: UInt?
        var attempts: Int

        var testDescription: String {
            "\(choice), \(session ?? 0), \(resilience ?? 0), \(provider ?? 0)".replacing("RetryPolicy", with: "")
        }
    }

    static let rows = [
        Row(choice: .inherited, attempts: 1),
        Row(choice: .inherited, session: 1, attempts: 2),
        Row(choice: .inherited, resilience: 2, attempts: 3),
        Row(choice: .inherited, session: 1, provider: 3, attempts: 4),
        Row(choice: .never, session: 1, resilience: 2, provider: 3, attempts: 1),
        Row(choice: .never, attempts: 1),
        Row(choice: .retrier(policy(4)), attempts: 5),
        Row(choice: .retrier(policy(1)), session: 2, resilience: 3, provider: 4, attempts: 2),
        Row(choice: .retrier(ConnectionLostRetryPolicy(retryLimit: 5)), session: 2, attempts: 1),
    ]

    @Test("a choice replaces the policies of the session, its resilience and the provider", arguments: rows)
    func choices(row: Row) async throws {
        for target in [
            MultiTarget(Choosing(retryChoice: row.choice)), MultiTarget(MultiTarget(Choosing(retryChoice: row.choice))),
        ] {
            let attempts = Recorder<Int>()
            let transport = FakeTransport { _ in
                attempts.add(1)
                return TransportResponse(status: 503)
            }
            var resilience = Resilience()
            resilience.retrier = row.resilience.map { Self.policy($0) }
            let session = Session(
                transport: transport,
                interceptor: row.session.map { Self.policy($0) },
                resilience: resilience
            )
            let provider = MoyaProvider<MultiTarget>(
                session: session,
                interceptor: row.provider.map { Self.policy($0) }
            )
            let response: Response = try await provider.request(target)
            #expect(response.statusCode == 503)
            #expect(attempts.values.count == row.attempts)
        }
    }

    @Test("retriers that are no policies, and adapters, are kept, also inside of a combined interceptor")
    func otherParts() async throws {
        let sent = Recorder<String?>()
        let transport = FakeTransport { request in
            sent.add(HTTPField.Name("X-Marked").flatMap { request.headers[$0] })
            return TransportResponse(status: sent.values.count == 1 ? 401 : 503)
        }
        let inner = Interceptor(adapters: [Marking()], retriers: [Self.policy(5), Refresh()])
        let session = Session(transport: transport, interceptor: Interceptor(interceptors: [inner]))
        _ = try await MoyaProvider<Choosing>(session: session).request(Choosing(retryChoice: .never)) as Response
        #expect(sent.values == ["yes", "yes"])
    }

    @Test("a target without a choice, and a wrapper of one, inherit the policies")
    func inherited() async throws {
        #expect({ if case .inherited = MultiTarget(Plain()).retryChoice { true } else { false } }())
        let attempts = Recorder<Int>()
        let transport = FakeTransport { _ in
            attempts.add(1)
            return TransportResponse(status: 503)
        }
        let session = Session(transport: transport, interceptor: Self.policy(2))
        _ = try await MoyaProvider<MultiTarget>(session: session).request(MultiTarget(Plain())) as Response
        _ = try await MoyaProvider<Plain>(session: session).request(Plain()) as Response
        #expect(attempts.values.count == 6)
    }

    @Test("the total time of a request also ends a slow retrier of its target")
    func totalTime() async throws {
        let transport = FakeTransport { _ in TransportResponse(status: 503) }
        var resilience = Resilience()
        resilience.timeouts.total = .milliseconds(50)
        let session = Session(transport: transport, resilience: resilience)
        let target = Choosing(retryChoice: .retrier(Slow()))
        let error = await #expect(throws: MoyaError.self) {
            try await MoyaProvider<Choosing>(session: session).request(target) as Response
        }
        #expect(error?.isTimeout == true)
    }

    /// A retrier that decides only when its task is cancelled.
    private struct Slow: RequestRetrier {
        func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
            try? await Task.sleep(for: .seconds(86_400))
            return .retry
        }
    }
}

@Suite("A target has idempotency keys")
struct IdempotentTargetTests {
    private struct Keyed: IdempotentTargetType {
        var idempotencyKeys: IdempotencyKeys? = IdempotencyKeys(format: .bare) { "own" }
        var method = Moya.Method.post
        var headers: [String: String]?
        var baseURL: URL { URL(string: "http://h.test") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var task: HTTPTask { .requestPlain }
    }

    /// Returns the keys that are sent for a target, whose server fails once.
    private func keys(_ target: Keyed, sessionKeys: Bool) async throws -> [String?] {
        let keys = Recorder<String?>()
        let transport = FakeTransport { request in
            keys.add(HTTPField.Name("Idempotency-Key").flatMap { request.headers[$0] })
            return TransportResponse(status: keys.values.count == 1 ? 503 : 200)
        }
        var resilience = Resilience()
        if sessionKeys { resilience.idempotencyKeys = IdempotencyKeys(format: .bare) { "session" } }
        let session = Session(
            transport: transport,
            interceptor: RetryPolicy(exponentialBackoffScale: 0),
            resilience: resilience
        )
        _ = try await MoyaProvider<MultiTarget>(session: session).request(MultiTarget(target)) as Response
        return keys.values
    }

    @Test(
        "a request has the target's key, or the session's, and is then retried, unless its method is idempotent",
        arguments: [false, true]
    )
    func keys(sessionKeys: Bool) async throws {
        #expect(try await keys(Keyed(), sessionKeys: sessionKeys) == ["own", "own"])
        #expect(try await keys(Keyed(method: .init(rawValue: "PURGE")), sessionKeys: sessionKeys) == ["own", "own"])
        #expect(try await keys(Keyed(method: .put), sessionKeys: sessionKeys) == [nil, nil])
        let inherited = try await keys(Keyed(idempotencyKeys: nil), sessionKeys: sessionKeys)
        #expect(inherited == (sessionKeys ? ["session", "session"] : [nil]))
        let named = Keyed(headers: ["idempotency-key": "mine"])
        #expect(try await keys(named, sessionKeys: sessionKeys) == ["mine", "mine"])
    }

    @Test("a key that cannot be sent fails the request")
    func invalidKeys() async throws {
        let error = await #expect(throws: MoyaError.self) {
            try await keys(Keyed(idempotencyKeys: IdempotencyKeys { "a\r\nb" }), sessionKeys: false)
        }
        guard case .underlying(let cause as RequestValidationError, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause == .invalidHeaderValue(name: "Idempotency-Key"))
    }
}
