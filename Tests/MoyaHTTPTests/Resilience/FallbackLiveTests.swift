import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Fallbacks work over real connections", .timeLimit(.minutes(5)))
struct FallbackLiveTests {
    private func session(_ transport: any HTTPTransport, _ fallback: Fallback, _ log: EventLog) -> Session {
        var resilience = Resilience()
        resilience.fallbacks = [fallback]
        return Session(transport: transport, eventMonitors: [log], resilience: resilience)
    }

    /// Sends a request with the URL of a server, and returns the URL of the response.
    private func url(_ session: Session, _ server: ReactingServer) async throws -> URL? {
        try await session.data(for: URLRequest(url: server.url("/a"))).url
    }

    @Test(
        "a refused request is sent to the other server, also a POST, and later ones only there",
        arguments: TransportKind.allCases
    )
    func refused(kind: TransportKind) async throws {
        let dead = try DeadPort()
        let log = EventLog()
        try await kind.withReactingServer({ _ in .respond(200) }) { transport, server in
            let session = session(transport, .baseURLs(dead.url, server.url("/v2")), log)
            for method in ["POST", "GET", "GET"] {
                var request = URLRequest(url: dead.url.appendingPathComponent("a"))
                request.httpMethod = method
                if method == "POST" { request.httpBody = Data("body".utf8) }
                let response = try await session.data(for: request)
                #expect(response.url == server.url("/v2/a"))
            }
            #expect(server.requests.map(\.head.target) == ["/v2/a", "/v2/a", "/v2/a"])
            #expect(server.requests.first?.text == "body")
            let refused = log.events.count {
                if case .sending(let request) = $0.kind { request.url?.port == dead.port } else { false }
            }
            #expect(refused == 1)
        }
    }

    @Test(
        "a server that closes the connection is replaced, and used again when it responds",
        arguments: TransportKind.allCases
    )
    func recovery(kind: TransportKind) async throws {
        let clock = ManualClock()
        let isBroken = Locked(true)
        try await kind.withReactingServer({ _ in isBroken.withLock { $0 } ? .cut : .respond(200) }) {
            transport,
            first in
            try await kind.withReactingServer({ _ in .respond(200) }) { _, second in
                let session = session(transport, .baseURLs(first.url(), second.url(), clock: clock), EventLog())
                var urls = [try await url(session, first), try await url(session, first)]
                let count = first.count
                isBroken.withLock { $0 = false }
                clock.advance(by: .seconds(29))
                urls.append(try await url(session, first))
                #expect(urls == [second.url("/a"), second.url("/a"), second.url("/a")])
                #expect(first.count == count)
                clock.advance(by: .seconds(1))
                urls = [try await url(session, first), try await url(session, first)]
                #expect(urls == [first.url("/a"), first.url("/a")])
                #expect(second.count == 3)
            }
        }
    }
}
