#if Observability && NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import InMemoryTracing
import MoyaHTTP
import MoyaObservability
import NIOSSL
import TestServers
import Testing

/// A request, and the spans and the dimensions of its duration that it must have.
///
/// `PORT` is the port of the server, and `PEER` the address of a connection to it.
private struct Scenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var path = "/status/200"
    var method = "GET"
    var credential: URLCredential?
    var resilience = Resilience()
    var cache: HTTPCache?
    var connection = TransportConfiguration()
    /// The number of times that the request is made, one after the other.
    var count = 1
    let spans: [String]
    /// The dimensions with a value.
    let durations: [String]

    static let peer = "network.peer.address=127.0.0.1 network.peer.port=PORT network.protocol.version=1.1"
    static let server = "server.address=127.0.0.1 server.port=PORT"
}

@Suite("Spans and metrics of requests have the attributes of the conventions", .timeLimit(.minutes(5)))
struct SpanScenarioTests {
    private static var retrying: Resilience {
        var resilience = Resilience()
        resilience.retrier = RetryPolicy(retryLimit: 1, exponentialBackoffBase: 2, exponentialBackoffScale: 0.001)
        return resilience
    }

    private static let scenarios: [Scenario] = [
        Scenario(
            testDescription: "200",
            spans: [
                """
                GET | client | http.request.method=GET http.response.status_code=200 \(Scenario.peer) \(Scenario.server)
                url.full=http://127.0.0.1:PORT/status/200
                """
            ],
            durations: [
                "http.request.method=GET http.response.status_code=200 network.protocol.version=1.1 \(Scenario.server)"
            ]
        ),
        Scenario(
            testDescription: "404",
            path: "/status/404",
            spans: [
                """
                GET | client error | error.type=404 http.request.method=GET http.response.status_code=404
                \(Scenario.peer) \(Scenario.server) url.full=http://127.0.0.1:PORT/status/404
                """
            ],
            durations: [
                """
                error.type=404 http.request.method=GET http.response.status_code=404 network.protocol.version=1.1
                \(Scenario.server)
                """
            ]
        ),
        Scenario(
            testDescription: "500",
            path: "/status/500",
            method: "DELETE",
            spans: [
                """
                DELETE | client error | error.type=500 http.request.method=DELETE http.response.status_code=500
                \(Scenario.peer) \(Scenario.server) url.full=http://127.0.0.1:PORT/status/500
                """
            ],
            durations: [
                """
                error.type=500 http.request.method=DELETE http.response.status_code=500 network.protocol.version=1.1
                \(Scenario.server)
                """
            ]
        ),
        Scenario(
            testDescription: "redirect to another host",
            path: "/elsewhere",
            spans: [
                """
                GET | client | http.request.method=GET http.response.status_code=302 \(Scenario.peer) \(Scenario.server)
                url.full=http://127.0.0.1:PORT/elsewhere
                """,
                """
                GET | client | http.request.method=GET http.request.resend_count=1 http.response.status_code=200
                \(Scenario.peer) server.address=other.test server.port=PORT url.full=http://other.test:PORT/status/200
                """,
            ],
            durations: [
                "http.request.method=GET http.response.status_code=302 network.protocol.version=1.1 \(Scenario.server)",
                """
                http.request.method=GET http.response.status_code=200 network.protocol.version=1.1
                server.address=other.test server.port=PORT
                """,
            ]
        ),
        Scenario(
            testDescription: "401, then 200",
            path: "/challenge",
            credential: URLCredential(user: "u", password: "p", persistence: .none),
            spans: [
                """
                GET | client error | error.type=401 http.request.method=GET http.response.status_code=401
                \(Scenario.peer) \(Scenario.server) url.full=http://127.0.0.1:PORT/challenge
                """,
                """
                GET | client | http.request.method=GET http.request.resend_count=1 http.response.status_code=200
                \(Scenario.peer) \(Scenario.server) url.full=http://127.0.0.1:PORT/challenge
                """,
            ],
            durations: [
                """
                error.type=401 http.request.method=GET http.response.status_code=401 network.protocol.version=1.1
                \(Scenario.server)
                """,
                "http.request.method=GET http.response.status_code=200 network.protocol.version=1.1 \(Scenario.server)",
            ]
        ),
        Scenario(
            testDescription: "retry after 503",
            path: "/busy-once",
            resilience: retrying,
            spans: [
                """
                GET | client error | error.type=503 http.request.method=GET http.response.status_code=503
                \(Scenario.peer) \(Scenario.server) url.full=http://127.0.0.1:PORT/busy-once
                """,
                """
                GET | client | http.request.method=GET http.request.resend_count=1 http.response.status_code=200
                \(Scenario.peer) \(Scenario.server) url.full=http://127.0.0.1:PORT/busy-once
                """,
            ],
            durations: [
                """
                error.type=503 http.request.method=GET http.response.status_code=503 network.protocol.version=1.1
                \(Scenario.server)
                """,
                "http.request.method=GET http.response.status_code=200 network.protocol.version=1.1 \(Scenario.server)",
            ]
        ),
        Scenario(
            testDescription: "resend of a request that was lost with an idle connection",
            path: "/lost",
            count: 2,
            spans: [
                """
                GET | client | http.request.method=GET http.response.status_code=200 \(Scenario.peer) \(Scenario.server)
                url.full=http://127.0.0.1:PORT/lost
                """,
                """
                GET | client error | error.type=networkConnectionLost http.request.method=GET \(Scenario.peer)
                \(Scenario.server) url.full=http://127.0.0.1:PORT/lost
                """,
                """
                GET | client | http.request.method=GET http.request.resend_count=1 http.response.status_code=200
                \(Scenario.peer) \(Scenario.server) url.full=http://127.0.0.1:PORT/lost
                """,
            ],
            durations: [
                "http.request.method=GET http.response.status_code=200 network.protocol.version=1.1 \(Scenario.server)",
                "http.request.method=GET http.response.status_code=200 network.protocol.version=1.1 \(Scenario.server)",
                "error.type=networkConnectionLost http.request.method=GET \(Scenario.server)",
            ]
        ),
        Scenario(
            testDescription: "a fresh stored response has no span",
            path: "/fresh",
            cache: .memory(),
            count: 2,
            spans: [
                """
                GET | client | http.request.method=GET http.response.status_code=200 \(Scenario.peer) \(Scenario.server)
                url.full=http://127.0.0.1:PORT/fresh
                """
            ],
            durations: [
                "http.request.method=GET http.response.status_code=200 network.protocol.version=1.1 \(Scenario.server)"
            ]
        ),
        Scenario(
            testDescription: "an unknown method",
            method: "PURGE",
            spans: [
                """
                HTTP | client | http.request.method=_OTHER http.request.method_original=PURGE
                http.response.status_code=200 \(Scenario.peer) \(Scenario.server)
                url.full=http://127.0.0.1:PORT/status/200
                """
            ],
            durations: [
                "http.request.method=_OTHER http.response.status_code=200 network.protocol.version=1.1 \(Scenario.server)"
            ]
        ),
        Scenario(
            testDescription: "user name, password and signature in the URL",
            path: "http://user:secret@127.0.0.1:PORT/status/200?sig=s3cret&color=blue&access_token=s3cret",
            spans: [
                """
                GET | client | http.request.method=GET http.response.status_code=200 \(Scenario.peer) \(Scenario.server)
                url.full=http://127.0.0.1:PORT/status/200?sig=REDACTED&color=blue&access_token=REDACTED
                """
            ],
            durations: [
                "http.request.method=GET http.response.status_code=200 network.protocol.version=1.1 \(Scenario.server)"
            ]
        ),
    ]

    @Test("the spans and durations of a request", arguments: scenarios)
    private func scenario(_ row: Scenario) async throws {
        let server = try await ObservedServer()
        let observed = try Observed(connection: row.connection, cache: row.cache, resilience: row.resilience)
        func filled(_ text: String) -> String { text.replacing("PORT", with: "\(server.port)") }
        let url = try #require(
            row.path.hasPrefix("http") ? URL(string: filled(row.path)) : server.url(row.path)
        )
        var request = URLRequest(url: url)
        request.httpMethod = row.method
        for _ in 0..<row.count {
            let sent = observed.session.request(request)
            if let credential = row.credential { sent.authenticate(with: credential) }
            _ = try await sent.value
        }
        await server.shutDown()
        let expectedSpans = row.spans.map { words(filled($0)) }
        #expect(observed.spans.map { words($0.text) } == expectedSpans)
        let durations = observed.durations.map { words($0).joined(separator: " ") }
        let expectedDurations = row.durations.map { words(filled($0)).joined(separator: " ") }
        #expect(durations.sorted() == expectedDurations.sorted())
        #expect(!"\(observed.spans)\(observed.logs.lines)".contains("s3cret"))
        #expect(observed.metrics.meters(label: "http.client.active_requests").allSatisfy { $0.lastValue == 0 })
    }

    /// Returns the words of a text in the order of the alphabet.
    private func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init).sorted()
    }

    @Test("a stale response has the span of its validation in the background")
    func stale() async throws {
        let server = try await ObservedServer()
        let observed = try Observed(cache: .memory())
        for _ in 0..<2 { _ = try await observed.session.data(for: URLRequest(url: server.url("/stale"))) }
        // The shutdown waits for the validation.
        await observed.session.shutdown(grace: .seconds(30))
        await server.shutDown()
        let spans = observed.spans
        #expect(spans.map(\.operationName) == ["GET", "GET"])
        #expect(spans.allSatisfy { $0.attributes.get("http.response.status_code") == .int64(200) })
        #expect(spans.allSatisfy { $0.attributes.get("http.request.resend_count") == nil })
        let results = observed.metrics.counters(label: "moya.client.cache.requests").map {
            observed.text(of: $0.dimensions)
        }
        #expect(results.contains { $0.contains("moya.cache.result=stale") })
        #expect(results.contains { $0.contains("moya.cache.result=network") })
    }
}

extension Observed {
    /// The dimensions of the recorded durations, without those that have no value.
    fileprivate var durations: [String] {
        metrics.timers(label: "http.client.request.duration").flatMap { timer in
            timer.values.map { _ in text(of: timer.dimensions.filter { !$0.1.isEmpty }) }
        }
    }
}
#endif
