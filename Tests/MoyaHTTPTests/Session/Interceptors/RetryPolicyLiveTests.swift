import Foundation
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A retry policy works over a real connection", .timeLimit(.minutes(5)))
struct RetryPolicyLiveTests {
    private func session(_ transport: any HTTPTransport, _ policy: RetryPolicy, _ clock: WaitClock) -> Session {
        Session(transport: transport, interceptor: policy, options: SessionOptions(clock: clock))
    }

    @Test("a retry policy waits as long as Retry-After requests and then retries", arguments: TransportKind.allCases)
    func retryAfter(kind: TransportKind) async throws {
        try await kind.withReactingServer({ received in
            received.number == 0 ? .respond(503, headers: ["Retry-After: 7"]) : .respond(200)
        }) { transport, server in
            let clock = WaitClock()
            let response = try await session(transport, RetryPolicy(), clock).data(for: server.request())
            #expect(response.statusCode == 200)
            #expect(clock.waits == [.seconds(7)])
            #expect(server.count == 2)
        }
    }

    @Test("a retry policy does not retry if Retry-After is too long", arguments: TransportKind.allCases)
    func longRetryAfter(kind: TransportKind) async throws {
        try await kind.withReactingServer({ _ in .respond(503, headers: ["Retry-After: 31"]) }) { transport, server in
            let clock = WaitClock()
            let response = try await session(transport, RetryPolicy(), clock).data(for: server.request())
            #expect(response.statusCode == 503)
            #expect(String(decoding: response.data, as: UTF8.self) == "ok")
            #expect(clock.waits == [])
            #expect(server.count == 1)
        }
    }

    @Test("a retry policy retries a cut connection with growing delays", arguments: TransportKind.allCases)
    func cut(kind: TransportKind) async throws {
        try await kind.withReactingServer({ $0.number < 3 ? .cutInBody : .respond(200) }) { transport, server in
            let clock = WaitClock()
            let policy = RetryPolicy(retryLimit: 3, random: { 1 })
            let response = try await session(transport, policy, clock).data(for: server.request())
            #expect(response.statusCode == 200)
            #expect(clock.waits == [.seconds(0.5), .seconds(1), .seconds(2)])
            #expect(server.count == 4)
        }
    }

    @Test(
        "a retry policy stops after retryLimit retries, and the session returns the last response",
        arguments: TransportKind.allCases
    )
    func limit(kind: TransportKind) async throws {
        try await kind.withReactingServer({ .respond(500 + $0.number) }) { transport, server in
            let policy = RetryPolicy(retryLimit: 2, retryableHTTPStatusCodes: [500, 501, 502, 503])
            let response = try await session(transport, policy, WaitClock()).data(for: server.request())
            #expect(response.statusCode == 502)
            #expect(server.count == 3)
        }
    }

    @Test("a retry policy does not retry a POST unless no server received it", arguments: TransportKind.allCases)
    func post(kind: TransportKind) async throws {
        let dead = try DeadPort()
        try await kind.withReactingServer({ $0.head.path == "/cut" ? .cut : .respond(503) }) { transport, server in
            let clock = WaitClock()
            let session = session(transport, RetryPolicy(retriesUnsentRequests: true), clock)
            // This request is first, because libcurl repeats a request lost on a reused connection.
            let error = await #expect(throws: URLError.self) {
                try await session.data(for: server.request("/cut", method: "POST"))
            }
            #expect(error?.code == .networkConnectionLost)
            let response = try await session.data(for: server.request(method: "POST"))
            #expect(response.statusCode == 503)
            #expect(server.count == 2)
            #expect(clock.waits == [])
            var request = URLRequest(url: dead.url)
            request.httpMethod = "POST"
            let unsent = await #expect(throws: URLError.self) { try await session.data(for: request) }
            #expect(unsent?.code == .cannotConnectToHost)
            #expect(clock.waits.count == 2)
        }
    }

    @Test("a retry policy retries no more than the budget allows in an outage")
    func outage() async throws {
        let kind = TransportKind.allCases[0]
        let count = 300
        try await kind.withReactingServer({ _ in .respond(503) }) { transport, server in
            // The reserve of ten is never refilled, because the clock stands still.
            let budget = RetryBudget(share: 0.2, reservePerSecond: 10, maximumBalance: 100, clock: HandClock())
            let policy = RetryPolicy(retryLimit: 5, budget: budget)
            let session = session(transport, policy, WaitClock())
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<count { group.addTask { try await session.data(for: server.request()).statusCode } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 503, count: count))
            // The budget is a fifth of the first attempts and the reserve. The failures request more retries, so all of it is used.
            #expect(server.count == count + count / 5 + 10)
        }
    }
}
