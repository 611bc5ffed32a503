#if Macros
import MoyaMacros
import MoyaTesting
import TestSupport
import Testing

private enum Policies {
    static let often = RetryPolicy(retryLimit: 3, exponentialBackoffScale: 0, budget: nil)
}

@API("https://repeated.example") @ErrorBody(Refusal.self)
private protocol Repeated: Sendable {
    @GET("/inherited") func inherited() async throws
    @GET("/often") @Retry(Policies.often) func often() async throws
    @GET("/never") @Retry(.never) func never() async throws
    @POST("/plain") @Retry(Policies.often) func plain(text: String) async throws
    @POST("/keyed") @Retry(Policies.often) @Idempotent(IdempotencyKeys(format: .bare)) func keyed(text: String)
        async throws
    @POST("/own") @Retry(Policies.often) @Idempotent @Headers(["Idempotency-Key": "{key}"])
    func own(key: String, text: String) async throws
    @PATCH("/patch") @Idempotent func patch() async throws
}

private struct Refusal: Decodable, Error, Sendable {}

@Suite("The attributes @Retry and @Idempotent decide about the repetition of requests")
struct RepetitionTests {
    /// Returns a client whose server responds with 503 to all but the last requests, and its requests.
    private func client(
        _ transport: ScriptedTransport,
        interceptor: (any RequestInterceptor)? = RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0)
    ) -> RepeatedClient {
        RepeatedClient(session: Session(transport: transport, interceptor: interceptor))
    }

    @Test(
        "a method's policy replaces that of the session",
        arguments: [("/inherited", 2), ("/often", 4), ("/never", 1)]
    )
    func policies(path: String, attempts: Int) async throws {
        let transport = ScriptedTransport().on(.get, path, .status(503))
        let client = client(transport)
        await #expect(throws: MoyaError.self) {
            switch path {
            case "/inherited": try await client.inherited()
            case "/often": try await client.often()
            default: try await client.never()
            }
        }
        #expect(transport.requests.count == attempts)
    }

    @Test("a retrier that is no policy decides first, also where a method is never retried")
    func otherRetriers() async throws {
        let transport = ScriptedTransport().on(.get, "/never", .status(401), .status(503))
        let interceptor = Interceptor(adapters: [], retriers: [Refresh(), RetryPolicy(exponentialBackoffScale: 0)])
        await #expect(throws: MoyaError.self) { try await client(transport, interceptor: interceptor).never() }
        #expect(transport.requests.count == 2)
    }

    /// A retrier like one that refreshes a token.
    private struct Refresh: RequestRetrier {
        func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
            if case .response(401, _) = attempt.outcome { .retry } else { .doNotRetry }
        }
    }

    @Test("a POST is retried if the method has keys, and all attempts of a call have one key")
    func keys() async throws {
        let transport = ScriptedTransport()
            .on(.post, "/plain", .status(503))
            .on(.post, "/keyed", .status(503), .status(503), .status(204), .status(204))
            .on(.post, "/own", .status(503), .status(204))
            .on(.patch, "/patch", .status(204))
        let client = client(transport, interceptor: nil)
        await #expect(throws: MoyaError.self) { try await client.plain(text: "a") }
        #expect(transport.requests.count == 1)
        try await client.keyed(text: "a")
        try await client.keyed(text: "a")
        try await client.own(key: "mine", text: "a")
        try await client.patch()
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        let keys = transport.requests.map { $0.headers[name] }
        #expect(keys[0] == nil)
        let first = try #require(keys[1])
        #expect(keys[2] == first && keys[3] == first)
        #expect(keys[4] != nil && keys[4] != first && UUID(uuidString: first) != nil)
        #expect(keys[5] == "mine" && keys[6] == "mine")
        #expect(keys[7]?.hasPrefix("\"") == true)
    }

    @Test("all requests share the budget of a method's policy")
    func budget() {
        guard case .retrier(let first as RetryPolicy) = BudgetedAPI.a.retryChoice,
            case .retrier(let second as RetryPolicy) = BudgetedAPI.a.retryChoice
        else {
            Issue.record("no policies")
            return
        }
        #expect(first.budget != nil && first.budget === second.budget)
    }
}

@API("https://repeated.example") @Retry(RetryPolicy(retryLimit: 2))
private protocol Budgeted: Sendable {
    @GET("/a") func a() async throws
}
#endif
