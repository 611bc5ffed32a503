import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The server acts as the proxy: over plain HTTP a client cannot distinguish them.
@Suite("A session responds to a proxy's challenges over a real connection", .timeLimit(.minutes(5)))
struct SessionProxyChallengeTests {
    private static let basic = "Basic dTpw"

    private static let answer: @Sendable (HandlerServer.ReceivedRequest) -> HandlerServer.Response = { seen in
        guard seen["Proxy-Authorization"] != basic else { return .ok("through") }
        return HandlerServer.Response(status: 407, headers: ["Proxy-Authenticate: Basic realm=\"r\""], body: "who?")
    }

    @Test("a proxy's Basic challenge gets a response in Proxy-Authorization", arguments: TransportKind.allCases)
    func basic(kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.answer) { transport, server in
            let session = Session.alone(on: transport)
            let request = URLRequest(url: server.url("/a"))
            let response = try await session.data(for: request, record: .user("u", "p"))
            #expect(response.text == "through")
            #expect(server.seen.map { $0["Proxy-Authorization"] } == [nil, Self.basic])
            #expect(server.seen.map { $0["Authorization"] } == [nil, nil])
            // The credential is remembered for the next request.
            let next = try await session.data(for: request)
            #expect(next.text == "through")
            let refused = try await Session.alone(on: transport).data(for: request, record: .user("u", "wrong"))
            #expect(refused.statusCode == 407)
            #expect(refused.text == "who?")
        }
    }

    @Test("a Digest response to a proxy covers the whole URL", arguments: TransportKind.allCases)
    func digest(kind: TransportKind) async throws {
        let check = DigestCheck()
        let target = Promise<String>()
        try await kind.withHandlerServer { seen in
            switch check.check(seen["Proxy-Authorization"], seen, target: target.value, response: "through") {
            case .accepted(let info): .ok("through", "Proxy-Authentication-Info: \(info ?? "")")
            default: HandlerServer.Response(status: 407, headers: ["Proxy-Authenticate: \(check.challenge())"])
            }
        } _: { transport, server in
            target.fulfill(server.url("/a?b").absoluteString)
            let response = try await Session.alone(on: transport).data(
                for: URLRequest(url: server.url("/a?b")),
                record: .user(check.rules.user, check.rules.password)
            )
            #expect(response.text == "through")
            #expect(server.seen.count == 2)
            #expect(check.problems == [])
        }
    }

    @Test("a proxy and a server may both send a challenge", arguments: TransportKind.allCases)
    func both(kind: TransportKind) async throws {
        try await kind.withHandlerServer { seen in
            let passed = Self.answer(seen)
            guard passed.status == 200, seen["Authorization"] != Self.basic else { return passed }
            return HandlerServer.Response(status: 401, headers: ["WWW-Authenticate: Basic realm=\"s\""])
        } _: { transport, server in
            let response = try await Session.alone(on: transport)
                .data(for: URLRequest(url: server.url("/a")), record: .user("u", "p"))
            #expect(response.text == "through")
            #expect(server.seen.map { $0["Proxy-Authorization"] } == [nil, Self.basic, Self.basic])
            #expect(server.seen.map { $0["Authorization"] } == [nil, nil, Self.basic])
        }
    }

    @Test("a credential for one proxy is not sent to another server", arguments: TransportKind.allCases)
    func otherServer(kind: TransportKind) async throws {
        try await HandlerServer.run(Self.answer) { other in
            try await kind.withHandlerServer(Self.answer) { transport, server in
                let session = Session.alone(on: transport)
                _ = try await session.data(for: URLRequest(url: server.url("/a")), record: .user("u", "p"))
                let response = try await session.data(for: URLRequest(url: other.url("/b")))
                #expect(response.statusCode == 407)
                #expect(other.seen.map { $0["Proxy-Authorization"] } == [nil])
            }
        }
    }
}
