import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Secrets are not sent to other origins in redirect chains over real connections", .timeLimit(.minutes(5)))
struct RedirectChainSecretTests {
    /// The source of the header.
    enum Source: CaseIterable, Sendable { case caller, session, interceptor, prepared, challenge }

    static let secrets = ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key"]

    /// Sends a request to a server that redirects to a second one, which redirects back to the first, where the chain ends.
    private func throughBoth(
        _ source: Source,
        on kind: TransportKind,
        check: (_ first: [HandlerServer.ReceivedRequest], _ second: [HandlerServer.ReceivedRequest]) throws -> Void
    ) async throws {
        let back = Promise<String>()
        try await HandlerServer.run { _ in
            .redirect(307, to: back.value ?? "")
        } _: { second in
            let location = second.url("/away").absoluteString
            try await kind.withHandlerServer { seen in
                guard seen.head.path != "/back" else { return .ok("end") }
                if source == .challenge, seen["Authorization"] == nil {
                    return HandlerServer.Response(status: 401, headers: ["WWW-Authenticate: Basic realm=\"r\""])
                }
                return seen.head.path == "/a" ? .redirect(307, to: "/b") : .redirect(307, to: location)
            } _: { transport, first in
                back.fulfill(first.url("/back").absoluteString)
                let headers = Dictionary(uniqueKeysWithValues: Self.secrets.map { ($0, "secret") })
                let record = RequestRecord()
                if source == .challenge {
                    // A session's credential would be sent to its origin again, as with any request to it.
                    record.setCredential(URLCredential(user: "u", password: "p", persistence: .none))
                }
                let session = Session.alone(
                    on: transport,
                    interceptor: source == .interceptor ? NotingAdapter(headers) : nil,
                    redirectHandler: Redirector(sensitiveHeaders: ["x-api-key"])
                ) { if source == .session { $0.httpAdditionalHeaders = headers } }
                let preparation = TestPreparation { request in
                    var request = request
                    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
                    return request
                }
                let settings = RequestSettings(preparation: source == .prepared ? preparation : nil)
                let url = first.url("/a")
                let request = URLRequest("PUT", url, body: "b", source == .caller ? headers : [:])
                let response = try await session.data(for: request, record: record, settings: settings)
                #expect(response.text == "end")
                #expect(response.url == first.url("/back"))
                try check(first.seen, second.seen)
            }
        }
    }

    @Test(
        "a secret header is sent to its origin, not to another port, and not again after a return to the origin",
        arguments: Source.allCases
    )
    func crossing(source: Source) async throws {
        for kind in TransportKind.allCases {
            try await throughBoth(source, on: kind) { first, second in
                let names = source == .challenge ? ["Authorization"] : Self.secrets
                // With a challenge the first request has no header and is sent again.
                let home = first.filter { $0.head.path != "/back" && $0["Authorization"] != nil }
                #expect(home.map(\.line) == ["PUT /a", "PUT /b"])
                for seen in home {
                    for name in names { #expect(seen[name] != nil, "\(name) of \(seen.line)") }
                }
                let away = second + first.filter { $0.head.path == "/back" }
                #expect(away.map(\.line) == ["PUT /away", "PUT /back"])
                for seen in away {
                    #expect(seen.body == "b")
                    for name in Self.secrets { #expect(seen[name] == nil, "\(name) of \(seen.line)") }
                }
            }
        }
    }

    @Test("the name and the address of a host are two origins for secret headers", arguments: TransportKind.allCases)
    func names(kind: TransportKind) async throws {
        let location = Promise<String>()
        try await kind.withHandlerServer { seen in
            seen.head.path == "/a" ? .redirect(to: location.value ?? "") : .ok()
        } _: { transport, server in
            location.fulfill(server.named("/b"))
            let request = URLRequest("GET", server.url("/a"), ["Authorization": "secret", "Cookie": "a=b"])
            _ = try await Session.alone(on: transport).data(for: request)
            #expect(server.seen.map { $0["Authorization"] } == ["secret", nil])
            #expect(server.seen.map { $0["Cookie"] } == ["a=b", nil])
            #expect(server.seen.map { $0["Host"]?.hasPrefix("localhost") } == [false, true])
        }
    }

    @Test("the user name and the password of a Location are not sent", arguments: TransportKind.allCases)
    func userInLocation(kind: TransportKind) async throws {
        let location = Promise<String>()
        try await kind.withHandlerServer { seen in
            seen.head.path == "/a" ? .redirect(to: location.value ?? "") : .ok()
        } _: { transport, server in
            location.fulfill(server.url("/b").absoluteString.replacing("http://", with: "http://user:word@"))
            let response = try await Session.alone(on: transport).data(for: URLRequest(url: server.url("/a")))
            #expect(server.lines == ["GET /a", "GET /b"])
            #expect(server.seen.map { $0["Authorization"] } == [nil, nil])
            #expect(response.url == server.url("/b"))
        }
    }

    @Test("a header is sent to other origins unless its name denotes a secret", arguments: TransportKind.allCases)
    func unmarked(kind: TransportKind) async throws {
        try await HandlerServer.run { _ in
            .ok()
        } _: { second in
            let location = second.url("/b").absoluteString
            try await kind.withHandlerServer { _ in
                .redirect(to: location)
            } _: { transport, server in
                let request = URLRequest(
                    "GET",
                    server.url("/a"),
                    ["X-Api-Key": "secret", "X-Request-Id": "1", "Accept": "text/x"]
                )
                _ = try await Session.alone(on: transport).data(for: request)
                #expect(second.seen.map { $0["X-Api-Key"] } == [nil])
                #expect(second.seen.map { $0["X-Request-Id"] } == ["1"])
                #expect(second.seen.map { $0["Accept"] } == ["text/x"])
            }
        }
    }
}
