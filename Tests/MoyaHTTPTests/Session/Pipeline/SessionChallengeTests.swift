import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session responds to challenges over a real connection", .timeLimit(.minutes(5)))
struct SessionChallengeTests {
    /// `Basic` with `u:p`.
    private static let basic = "Basic dTpw"

    private static func answer(
        challenges: [String] = ["Basic realm=\"r\""]
    ) -> @Sendable (HandlerServer.ReceivedRequest) -> HandlerServer.Response {
        { seen in
            guard seen["Authorization"] != basic else { return .ok("welcome \(seen.body)") }
            return HandlerServer.Response(
                status: 401,
                headers: challenges.map { "WWW-Authenticate: \($0)" },
                body: "who are you?"
            )
        }
    }

    @Test(
        "a Basic challenge gets one response, and later requests have credentials without a challenge",
        arguments: TransportKind.allCases
    )
    func basic(kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.answer()) { transport, server in
            let session = Session.alone(on: transport)
            for number in 0..<3 {
                let response = try await session.data(
                    for: URLRequest("PUT", server.url("/a/\(number)"), body: "\(number)"),
                    record: number == 0 ? .user("u", "p") : RequestRecord()
                )
                #expect(response.text == "welcome \(number)")
            }
            #expect(server.seen.map { $0["Authorization"] } == [nil, Self.basic, Self.basic, Self.basic])
        }
    }

    @Test("a request of each entry point gets a response to its challenge", arguments: TransportKind.allCases)
    func request(kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.answer()) { transport, server in
            let request = Session.alone(on: transport).request(URLRequest(url: server.url("/a")))
            let response = try await request.authenticate(username: "u", password: "p").value
            #expect(response.text == "welcome ")
        }
    }

    @Test("streams and downloads get responses to their challenges", arguments: TransportKind.allCases)
    func entryPoints(kind: TransportKind) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a")
        try await kind.withHandlerServer(Self.answer()) { transport, server in
            let session = Session.alone(on: transport)
            let request = URLRequest(url: server.url("/a"))
            let (response, body) = try await session.stream(for: request, record: .user("u", "p", .none))
            #expect(response.statusCode == 200)
            var data = Data()
            for try await chunk in body { data.append(chunk) }
            #expect(String(decoding: data, as: UTF8.self) == "welcome ")
            let saved = try await session.download(request, to: { _, _ in (file, []) }, record: .user("u", "p", .none))
            #expect(saved.statusCode == 200)
            let text = try folder.text("a")
            #expect(text == "welcome ")
        }
    }

    @Test("a request's credential is not sent with other requests", arguments: TransportKind.allCases)
    func notRemembered(kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.answer()) { transport, server in
            let session = Session.alone(on: transport)
            let request = URLRequest(url: server.url("/a"))
            let first = try await session.data(for: request, record: .user("u", "p", .none))
            #expect(first.statusCode == 200)
            let second = try await session.data(for: request)
            #expect(second.statusCode == 401)
            #expect(server.seen.map { $0["Authorization"] } == [nil, Self.basic, nil])
        }
    }

    @Test("a wrong password for Basic is sent once, and the refusal is the response", arguments: TransportKind.allCases)
    func wrongPassword(kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.answer()) { transport, server in
            let session = Session.alone(on: transport)
            let request = URLRequest(url: server.url("/a"))
            let response = try await session.data(for: request, record: .user("u", "wrong"))
            #expect(response.statusCode == 401)
            #expect(response.text == "who are you?")
            #expect(server.seen.map { $0["Authorization"] != nil } == [false, true])
            let next = try await session.data(for: request)
            #expect(next.statusCode == 401)
            #expect(server.seen.last?["Authorization"] == nil)
        }
    }

    @Test(
        "the challenge to a request with the caller's Authorization header gets no response",
        arguments: TransportKind.allCases
    )
    func own(kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.answer()) { transport, server in
            let request = URLRequest("GET", server.url("/a"), ["Authorization": "Bearer x"])
            let response = try await Session.alone(on: transport).data(for: request)
            #expect(response.statusCode == 401)
            #expect(server.seen.map { $0["Authorization"] } == ["Bearer x"])
        }
    }

    @Test("the stronger of two schemes in one challenge header is used", arguments: TransportKind.allCases)
    func twoSchemes(kind: TransportKind) async throws {
        let check = DigestCheck()
        for isJoined in [true, false] {
            try await kind.withHandlerServer { seen in
                var answer = HandlerServer.Response.checked(check, seen)
                guard answer.status == 401 else { return answer }
                let both = ["Basic realm=\"a, b\"", check.challenge(), "Newauth x=\"y\""]
                answer.headers = (isJoined ? [both.joined(separator: ", ")] : both).map { "WWW-Authenticate: \($0)" }
                return answer
            } _: { transport, server in
                let response = try await Session.alone(on: transport).data(
                    for: URLRequest(url: server.url("/a")),
                    record: .user(check.rules.user, check.rules.password)
                )
                #expect(response.statusCode == 200)
                #expect(server.seen.count == 2)
                #expect(server.seen.last?["Authorization"]?.hasPrefix("Digest ") == true)
            }
        }
    }

    @Test(
        "the configuration's credential storage is asked once for each protection space",
        arguments: TransportKind.allCases
    )
    func storage(kind: TransportKind) async throws {
        let check = DigestCheck()
        try await kind.withHandlerServer { seen in
            guard seen.head.path.hasPrefix("/digest") else { return Self.answer()(seen) }
            return .checked(check, seen)
        } _: { transport, server in
            let storage = URLSessionConfiguration.ephemeral.urlCredentialStorage
            let rows: [(String, String, String, String)] = [
                ("r", NSURLAuthenticationMethodHTTPBasic, "u", "p"),
                (check.rules.realm, NSURLAuthenticationMethodHTTPDigest, check.rules.user, check.rules.password),
            ]
            for (realm, method, user, password) in rows {
                let space = URLProtectionSpace(
                    host: "127.0.0.1",
                    port: server.url().port ?? 0,
                    protocol: "http",
                    realm: realm,
                    authenticationMethod: method
                )
                let credential = URLCredential(user: user, password: password, persistence: .forSession)
                try #require(storage).setDefaultCredential(credential, for: space)
            }
            let session = Session.alone(on: transport) { $0.urlCredentialStorage = storage }
            for path in ["/basic/1", "/basic/2", "/digest/1", "/digest/2"] {
                let response = try await session.data(for: URLRequest(url: server.url(path)))
                #expect(response.statusCode == 200, "\(path)")
            }
            #expect(check.problems == [])
            #expect(server.lines.filter { $0 == "GET /basic/2" }.count == 1)
            let none = Session.alone(on: transport)
            let response = try await none.data(for: URLRequest(url: server.url("/basic/3")))
            #expect(response.statusCode == 401)
        }
    }

    @Test("a request's credential is not used at another origin", arguments: TransportKind.allCases)
    func crossing(kind: TransportKind) async throws {
        try await HandlerServer.run(Self.answer()) { other in
            let location = other.url("/b").absoluteString
            try await kind.withHandlerServer { seen in
                let answer = Self.answer()(seen)
                return answer.status == 401 ? answer : .redirect(to: location)
            } _: { transport, server in
                let session = Session.alone(on: transport)
                for _ in 0..<2 {
                    let response = try await session.data(
                        for: URLRequest(url: server.url("/a")),
                        record: .user("u", "p")
                    )
                    #expect(response.statusCode == 401)
                    #expect(response.url == other.url("/b"))
                }
                #expect(server.seen.map { $0["Authorization"] } == [nil, Self.basic, Self.basic])
                #expect(other.seen.map { $0["Authorization"] } == [nil, nil])
            }
        }
    }
}
