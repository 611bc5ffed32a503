import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Where a session's cookies are, over a real connection", .timeLimit(.minutes(5)))
struct SessionCookieStorageTests {
    private static let response: @Sendable (HandlerServer.ReceivedRequest) -> HandlerServer.Response = { seen in
        seen.head.path == "/set" ? .ok("", "Set-Cookie: a=1; Max-Age=1000", "Set-Cookie: b=2") : .ok()
    }

    @Test("An ephemeral configuration's storage has them, and no other one", arguments: TransportKind.allCases)
    func ephemeral(kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.response) { transport, server in
            let configuration = URLSessionConfiguration.ephemeral
            let storage = try #require(configuration.httpCookieStorage)
            let session = Session(transport: transport, configuration: configuration)
            _ = try await session.data(for: URLRequest(url: server.url("/set")))
            #expect(storage.cookies?.map(\.name).sorted() == ["a", "b"])
            _ = try await session.data(for: URLRequest(url: server.url("/")))
            #expect(server.seen.map { $0["Cookie"] } == [nil, "a=1; b=2"])

            let other = Session(transport: transport, configuration: .ephemeral)
            _ = try await other.data(for: URLRequest(url: server.url("/other")))
            #expect(server.seen.last?["Cookie"] == nil)
            #expect(URLSessionConfiguration.ephemeral.httpCookieStorage?.cookies?.isEmpty ?? true)
        }
    }

    @Test("What a caller puts into the configuration's storage is sent", arguments: TransportKind.allCases)
    func filled(kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.response) { transport, server in
            let configuration = URLSessionConfiguration.ephemeral
            let cookie = HTTPCookie(properties: [.name: "own", .value: "1", .domain: "127.0.0.1", .path: "/"])
            configuration.httpCookieStorage?.setCookie(try #require(cookie))
            let session = Session(transport: transport, configuration: configuration)
            _ = try await session.data(for: URLRequest(url: server.url("/")))
            #expect(server.seen.map { $0["Cookie"] } == ["own=1"])
        }
    }

    @Test("A jar is in place of the configuration's storage", arguments: TransportKind.allCases)
    func jar(kind: TransportKind) async throws {
        try await kind.withHandlerServer(Self.response) { transport, server in
            let configuration = URLSessionConfiguration.ephemeral
            let jar = CookieJar()
            let options = SessionOptions(cookieStorage: jar)
            let session = Session(transport: transport, configuration: configuration, options: options)
            _ = try await session.data(for: URLRequest(url: server.url("/set")))
            #expect(jar.cookies.map(\.name).sorted() == ["a", "b"])
            #expect(configuration.httpCookieStorage?.cookies?.isEmpty ?? true)
        }
    }

    @Test("A jar in a file is read by the next session", arguments: TransportKind.allCases)
    func file(kind: TransportKind) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("cookies.json")
        try await kind.withHandlerServer(Self.response) { transport, server in
            let first = try CookieJar(file: file)
            _ = try await Session.alone(on: transport, cookieStorage: first)
                .data(for: URLRequest(url: server.url("/set")))
            try await first.flush()
            let second = try CookieJar(file: file)
            _ = try await Session.alone(on: transport, cookieStorage: second)
                .data(for: URLRequest(url: server.url("/")))
            // The other one was for the session of then.
            #expect(server.seen.map { $0["Cookie"] } == [nil, "a=1"])
        }
    }
}
