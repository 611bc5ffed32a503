import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A session uses its cookie storage over a real connection", .timeLimit(.minutes(5)))
struct SessionCookieStorageTests {
    private static let response: @Sendable (HandlerServer.ReceivedRequest) -> HandlerServer.Response = { seen in
        seen.head.path == "/set" ? .ok("", "Set-Cookie: a=1; Max-Age=1000", "Set-Cookie: b=2") : .ok()
    }

    @Test(
        "the cookies of an ephemeral configuration are in its storage, and in no other storage",
        arguments: TransportKind.allCases
    )
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

    @Test("cookies that are set in the configuration's storage are sent", arguments: TransportKind.allCases)
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

    @Test("a cookie jar replaces the configuration's storage", arguments: TransportKind.allCases)
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

    @Test("a cookie jar's file is read by the next session", arguments: TransportKind.allCases)
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
            // The other storage belonged to the earlier session.
            #expect(server.seen.map { $0["Cookie"] } == [nil, "a=1"])
        }
    }

    enum Kept: Sendable { case nowhere, inMemory, configured, given }

    @Test(
        "only a cookie storage that is shared with other programs is replaced by a jar in memory",
        arguments: [
            // The configuration's storage, whether it is the shared one, and whether a storage is given.
            (false, false, false, Kept.nowhere), (true, false, false, .configured), (true, true, false, .inMemory),
            (false, false, true, .given), (true, false, true, .given), (true, true, true, .given),
        ]
    )
    func choice(isConfigured: Bool, isShared: Bool, isGiven: Bool, expected: Kept) {
        let configuration = URLSessionConfiguration.ephemeral
        if !isConfigured { configuration.httpCookieStorage = nil }
        let given = CookieJar()
        let cookies = SessionCookies(
            isGiven ? given : nil,
            configuration: configuration,
            replacing: isShared ? configuration.httpCookieStorage : nil
        )
        let kept: Kept =
            switch cookies.storage {
            case nil: .nowhere
            case let jar as CookieJar: jar === given ? .given : .inMemory
            default: .configured
            }
        #expect(kept == expected)
    }

    #if !canImport(Darwin)
    static let defaults: [@Sendable () -> URLSessionConfiguration] = [
        { .default }, { .withDefaultHeaders }, { .af.default },
        {
            let configuration = URLSessionConfiguration.default
            configuration.httpCookieStorage = .shared
            return configuration
        },
    ]

    @Test(
        "two sessions share no cookies with each other or with Foundation by default",
        arguments: TransportKind.allCases
    )
    func separate(kind: TransportKind) async throws {
        for configuration in Self.defaults {
            try await kind.withHandlerServer(Self.response) { transport, server in
                let session = Session(transport: transport, configuration: configuration())
                _ = try await session.data(for: URLRequest(url: server.url("/set")))
                _ = try await session.data(for: URLRequest(url: server.url("/own")))
                let other = Session(transport: transport, configuration: configuration())
                _ = try await other.data(for: URLRequest(url: server.url("/other")))
                #expect(server.seen.map { $0["Cookie"] } == [nil, "a=1; b=2", nil])
                #expect(HTTPCookieStorage.shared.cookies(for: server.url("/"))?.isEmpty ?? true)
            }
        }
    }

    @Test("a session sends another program's cookies only if it is given that program's storage")
    func otherProgram() async throws {
        let folder = try TemporaryFolder()
        // The folder of Foundation's file; the executables of both processes are in folders with the same name.
        let home = folder.url.path(percentEncoded: false)
        await #expect(processExitsWith: .success) { [home = home as String] in
            setenv("XDG_DATA_HOME", home, 1)
            let cookie = HTTPCookie(properties: [
                .name: "foreign", .value: "1", .domain: "example.com", .path: "/",
                .expires: Date(timeIntervalSinceNow: 1000),
            ])
            HTTPCookieStorage.shared.setCookie(try #require(cookie))
        }
        await #expect(processExitsWith: .success) { [home = home as String] in
            setenv("XDG_DATA_HOME", home, 1)
            let request = URLRequest(url: try #require(URL(string: "http://example.com/")))
            @Sendable func cookie(_ storage: (any CookieStorage)?) async throws -> String? {
                let cookie = Locked<String?>(nil)
                let transport = FakeTransport { request in
                    cookie.withLock { $0 = request.headers[.cookie] }
                    return TransportResponse(status: 200)
                }
                let session = Session(transport: transport, options: SessionOptions(cookieStorage: storage))
                _ = try await session.data(for: request)
                return cookie.withLock { $0 }
            }
            #expect(try await cookie(nil) == nil)
            #expect(try await cookie(FoundationCookieStorage(.shared)) == "foreign=1")
        }
        #expect(try !folder.names.isEmpty)
    }
    #endif
}
