import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Requests that are not idempotent have a key", .timeLimit(.minutes(5)))
struct IdempotencyKeyTests {
    private static let name = "idempotency-key"

    /// Returns a session whose keys are `k1`, `k2` and so on.
    private func session(
        _ transport: any HTTPTransport,
        interceptor: (any RequestInterceptor)? = RetryPolicy(exponentialBackoffScale: 0),
        format: IdempotencyKeys.Format = .bare
    ) -> Session {
        let count = Locked(0)
        var resilience = Resilience()
        resilience.idempotencyKeys = IdempotencyKeys(format: format) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return "k\(number)"
        }
        return Session(transport: transport, interceptor: interceptor, resilience: resilience)
    }

    @Test("POST and PATCH get a key of their own, other methods get none")
    func methods() async throws {
        let keys = Recorder<String?>()
        let transport = FakeTransport { request in
            keys.add(HTTPField.Name(Self.name).flatMap { request.headers[$0] })
            return TransportResponse(status: 200, body: .complete(Data()))
        }
        let session = session(transport)
        for method in ["POST", "GET", "PATCH", "PUT", "DELETE", "HEAD", "POST"] {
            var request = URLRequest(url: try #require(URL(string: "https://a.example")))
            request.httpMethod = method
            _ = try await session.data(for: request)
        }
        #expect(keys.values == ["k1", nil, "k2", nil, nil, nil, "k3"])
    }

    @Test("a key of the caller is kept, in any case of the name")
    func ownKey() async throws {
        let keys = Recorder<String?>()
        let transport = FakeTransport { request in
            keys.add(HTTPField.Name(Self.name).flatMap { request.headers[$0] })
            return TransportResponse(status: keys.values.count == 1 ? 503 : 200, body: .complete(Data()))
        }
        var request = URLRequest(url: try #require(URL(string: "https://a.example")))
        request.httpMethod = "POST"
        request.setValue("mine", forHTTPHeaderField: "IDEMPOTENCY-key")
        _ = try await session(transport).data(for: request)
        // The request counts as repeatable.
        #expect(keys.values == ["mine", "mine"])
    }

    @Test("without the setting, a POST with a key is not retried")
    func off() async throws {
        let count = Recorder<Int>()
        let transport = FakeTransport { _ in
            count.add(1)
            return TransportResponse(status: 503, body: .complete(Data()))
        }
        var request = URLRequest(url: try #require(URL(string: "https://a.example")))
        request.httpMethod = "POST"
        request.setValue("mine", forHTTPHeaderField: Self.name)
        let session = Session(transport: transport, interceptor: RetryPolicy(exponentialBackoffScale: 0))
        #expect(try await session.data(for: request).statusCode == 503)
        #expect(count.values.count == 1)
    }

    @Test("the retries of a POST have one key", arguments: TransportKind.allCases)
    func retries(kind: TransportKind) async throws {
        try await kind.withReactingServer({ received in
            switch received.number {
            case 0: .respond(503)
            case 1: .cut
            default: .respond(201)
            }
        }) { transport, server in
            var request = server.request(method: "POST")
            request.httpBody = Data("pay".utf8)
            let session = session(transport)
            #expect(try await session.data(for: request).statusCode == 201)
            #expect(server.values(of: Self.name) == ["k1", "k1", "k1"])
            #expect(server.requests.map(\.text) == ["pay", "pay", "pay"])
            _ = try await session.data(for: request)
            #expect(server.values(of: Self.name).last == "k2")
        }
    }

    @Test(
        "a POST that is lost with a reused connection is sent again with its key, and without keys is lost",
        arguments: [true, false]
    )
    func resend(hasKeys: Bool) async throws {
        // Other transports do not report that a connection was reused.
        for kind in TransportKind.allCases where kind.rawValue == "nio" {
            try await kind.withReactingServer({ $0.number == 1 ? .cut : .respond(200) }) { transport, server in
                let session = hasKeys ? session(transport, interceptor: nil) : Session(transport: transport)
                _ = try await session.data(for: server.request())
                if hasKeys {
                    _ = try await session.data(for: server.request(method: "POST"))
                    #expect(server.values(of: Self.name) == [nil, "k1", "k1"])
                } else {
                    await #expect(throws: (any Error).self) {
                        try await session.data(for: server.request(method: "POST"))
                    }
                    #expect(server.count == 2)
                }
            }
        }
    }

    @Test("a redirected POST keeps its key", arguments: TransportKind.allCases)
    func redirect(kind: TransportKind) async throws {
        try await kind.withReactingServer({ received in
            received.number == 0 ? .respond(307, headers: ["Location: /b"]) : .respond(200)
        }) { transport, server in
            _ = try await session(transport).data(for: server.request(method: "POST"))
            #expect(server.values(of: Self.name) == ["k1", "k1"])
        }
    }

    @Test(
        "a key in quotes is a string of structured fields (RFC 9651, section 3.3.3)",
        arguments: [
            ("a", #""a""#), (#"a"b\c"#, #""a\"b\\c""#), ("a b", #""a b""#),
        ]
    )
    func quotes(key: String, value: String) throws {
        #expect(try IdempotencyKeys { key }.makeValue() == value)
        #expect(try IdempotencyKeys(format: .bare) { key }.makeValue() == key)
    }

    @Test(
        "a request whose key is empty or cannot be sent unchanged fails, and is not sent",
        arguments: [IdempotencyKeys.Format.quoted, .bare],
        ["", " ", "a\r\nb", "a\tb", "é", "\u{7F}"]
    )
    func invalidKeys(format: IdempotencyKeys.Format, key: String) async throws {
        let sent = Recorder<Int>()
        let transport = FakeTransport { _ in
            sent.add(1)
            return TransportResponse(status: 200, body: .complete(Data()))
        }
        var resilience = Resilience()
        resilience.idempotencyKeys = IdempotencyKeys(format: format) { key }
        var request = URLRequest(url: try #require(URL(string: "https://a.example")))
        request.httpMethod = "POST"
        let session = Session(transport: transport, resilience: resilience)
        await #expect(throws: RequestValidationError.invalidHeaderValue(name: "Idempotency-Key")) {
            try await session.data(for: request)
        }
        #expect(sent.values.isEmpty)
    }

    @Test("the default key is a random UUID")
    func randomKeys() throws {
        let keys = IdempotencyKeys(format: .bare)
        let values = try (0..<100).map { _ in try keys.makeValue() }
        #expect(Set(values).count == 100)
        #expect(values.allSatisfy { UUID(uuidString: $0) != nil })
    }

    @Test("a POST with a key is sent again after the loss of an idle connection, and no other")
    func resends() {
        let lost = URLError.make(
            .networkConnectionLost,
            url: nil,
            cause: ResendRuleTests.Lost(allowsResend: true)
        )
        for hasKey in [false, true] {
            var rule = ResendRule(method: .post, hasIdempotencyKey: hasKey, isBodyRepeatable: true)
            #expect((rule.decide(lost, elapsed: .zero)?.reason == .connectionLost) == hasKey)
            var once = ResendRule(method: .post, hasIdempotencyKey: hasKey, isBodyRepeatable: false)
            #expect(once.decide(lost, elapsed: .zero) == nil)
        }
    }

    @Test("a retry policy retries a POST with a key if its body can be sent again")
    func policy() throws {
        var request = URLRequest(url: try #require(URL(string: "https://a.example")))
        request.httpMethod = "POST"
        for (hasKey, isRepeatable) in [(true, true), (true, false), (false, true)] {
            let attempt = RequestAttempt(
                request: request,
                outcome: .response(status: 503, headers: [:]),
                isBodyRepeatable: isRepeatable,
                hasIdempotencyKey: hasKey
            )
            let decision = RetryPolicy().decision(for: attempt, now: Date(), random: 0)
            #expect((decision == .retry(after: .zero)) == (hasKey && isRepeatable))
        }
    }
}
