import Foundation
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Adapters run in a fixed order over a real connection", .timeLimit(.minutes(5)))
struct AdapterOrderTests {
    /// Appends a letter to a header and logs the request.
    private func adapter(_ letter: String, _ log: TestLog) -> TestInterceptor {
        TestInterceptor(onAdapt: { request, state in
            log.note("\(letter) #\(state.retryCount) ->\(state.redirectCount) \(state.requestID)")
            return request.adding(letter)
        })
    }

    @Test(
        "the session's adapters run first, then the request's adapters, then the preparation, for each attempt",
        arguments: TransportKind.allCases
    )
    func order(kind: TransportKind) async throws {
        try await kind.withReactingServer({ $0.number < 2 ? .respond(503) : .respond(200) }) { transport, server in
            let log = TestLog()
            let session = Session(
                transport: transport,
                interceptor: Interceptor(
                    adapters: [adapter("a", log), adapter("b", log)],
                    retriers: [TestInterceptor.repeating(2)]
                )
            )
            let record = RequestRecord()
            let response = try await session.data(
                for: server.request(),
                record: record,
                settings: RequestSettings(
                    interceptor: adapter("c", log),
                    preparation: TestPreparation { $0.adding("d") }
                )
            )
            #expect(response.statusCode == 200)
            #expect(response.request.value(forHTTPHeaderField: "Order") == "abcd")
            #expect(server.values(of: "order") == ["abcd", "abcd", "abcd"])
            let expected = (0...2).flatMap { count in "abc".map { "\($0) #\(count) ->0 \(record.id)" } }
            #expect(log.lines == expected)
            #expect(record.retryCount == 2)
        }
    }

    @Test("each redirect within the origin is adapted", arguments: TransportKind.allCases)
    func redirects(kind: TransportKind) async throws {
        try await kind.withReactingServer({ received in
            switch (received.head.path, received.number) {
            case ("/", _): .respond(302, headers: ["Location: /there"])
            case (_, 1): .respond(500)
            default: .respond(200)
            }
        }) { transport, server in
            let log = TestLog()
            let session = Session(
                transport: transport,
                interceptor: Interceptor(adapters: [adapter("a", log)], retriers: [TestInterceptor.repeating(1)])
            )
            let record = RequestRecord()
            let prepared = TestLog()
            let settings = RequestSettings(
                preparation: TestPreparation { request in
                    prepared.note(request.url?.path ?? "")
                    return request
                }
            )
            let response = try await session.data(for: server.request(), record: record, settings: settings)
            #expect(response.statusCode == 200)
            #expect(response.url?.path == "/there")
            #expect(server.requests.map(\.head.path) == ["/", "/there", "/", "/there"])
            // A redirected request was adapted before.
            #expect(server.values(of: "order") == ["a", "aa", "a", "aa"])
            let tries = ["a #0 ->0", "a #0 ->1", "a #1 ->0", "a #1 ->1"]
            #expect(log.lines == tries.map { "\($0) \(record.id)" })
            // The preparation runs for each attempt, and not for each redirect.
            #expect(prepared.lines == ["/", "/"])
        }
    }

    @Test("a redirect to another origin is not adapted and gets no secret", arguments: TransportKind.allCases)
    func otherOrigin(kind: TransportKind) async throws {
        try await kind.withReactingServer({ _ in .respond(200) }) { transport, other in
            let there = other.url("/there").absoluteString
            let server = try await ReactingServer { _ in .respond(307, headers: ["Location: \(there)"]) }
            let session = Session(
                transport: transport,
                interceptor: TestInterceptor(onAdapt: { request, _ in
                    var request = request
                    request.setValue("secret", forHTTPHeaderField: "Authorization")
                    return request
                })
            )
            let response = try await session.data(for: server.request())
            #expect(response.statusCode == 200)
            #expect(server.values(of: "authorization") == ["secret"])
            #expect(other.values(of: "authorization") == [nil])
            await server.shutDown()
        }
    }
}

extension URLRequest {
    fileprivate func adding(_ letter: String) -> URLRequest {
        var request = self
        request.setValue((value(forHTTPHeaderField: "Order") ?? "") + letter, forHTTPHeaderField: "Order")
        return request
    }
}
