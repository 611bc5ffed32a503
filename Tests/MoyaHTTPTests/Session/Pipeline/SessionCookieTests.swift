import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Cookies are per host and not per port (RFC 6265, section 8.5): another server on this machine gets them unless it
/// has another name.
@Suite("Cookies are stored and sent over a real connection", .timeLimit(.minutes(5)))
struct SessionCookieTests {
    /// Sets the query's cookies, and redirects or sends a challenge for some paths.
    private static let response: @Sendable (HandlerServer.ReceivedRequest) -> HandlerServer.Response = { seen in
        let query = seen.head.target.drop { $0 != "?" }.dropFirst()
        let lines = query.split(separator: "&").map {
            "Set-Cookie: \($0.replacing("_", with: "; ").replacing("~", with: "="))"
        }
        switch seen.head.path {
        case "/redirect": return HandlerServer.Response(status: 302, headers: ["Location: /end"] + lines)
        case "/login" where seen["Authorization"] == nil:
            return HandlerServer.Response(status: 401, headers: ["WWW-Authenticate: Basic realm=\"r\""] + lines)
        default: return HandlerServer.Response(headers: lines, body: "ok")
        }
    }

    /// Requests paths one after the other and returns the cookies of all requests.
    private func cookies(
        _ paths: [String],
        kind: TransportKind,
        storage: (any CookieStorage)? = CookieJar(),
        change: (inout URLRequest) -> Void = { _ in },
        configure: (URLSessionConfiguration) -> Void = { _ in }
    ) async throws -> [String?] {
        var cookies: [String?] = []
        try await kind.withHandlerServer(Self.response) { transport, server in
            let session = Session.alone(on: transport, cookieStorage: storage, configure: configure)
            for path in paths {
                var request = URLRequest(url: server.url(path))
                change(&request)
                let record = RequestRecord()
                record.setCredential(URLCredential(user: "u", password: "p", persistence: .none))
                _ = try await session.data(for: request, record: record)
            }
            cookies = server.seen.map { $0["Cookie"] }
        }
        return cookies
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let paths: [String]
        let cookies: [String?]
    }

    static let rows: [Row] = [
        Row(testDescription: "the next request", paths: ["/?a~1", "/"], cookies: [nil, "a=1"]),
        Row(
            testDescription: "both of two lines, also with a comma in a date",
            paths: ["/?a~1_Expires~Fri,%2001-Jan-2100&b~2", "/"],
            cookies: [nil, "a=1; b=2"]
        ),
        Row(testDescription: "the hop after a redirect that sets it", paths: ["/redirect?a~1"], cookies: [nil, "a=1"]),
        Row(testDescription: "the answer to a challenge that sets it", paths: ["/login?a~1"], cookies: [nil, "a=1"]),
        Row(testDescription: "a new value", paths: ["/?a~1", "/?a~2", "/"], cookies: [nil, "a=1", "a=2"]),
        Row(
            testDescription: "not once it has ended",
            paths: ["/?a~1", "/?a~1_Max-Age~0", "/"],
            cookies: [nil, "a=1", nil]
        ),
        Row(
            testDescription: "its path only, and what is below",
            paths: ["/?a~1_Path~/x", "/", "/x", "/x/y", "/xy"],
            cookies: [nil, nil, "a=1", "a=1", nil]
        ),
        Row(testDescription: "not without TLS if it is secure", paths: ["/?a~1_Secure", "/"], cookies: [nil, nil]),
        Row(
            testDescription: "not if it is for another host",
            paths: ["/?a~1_Domain~example.com", "/"],
            cookies: [nil, nil]
        ),
    ]

    @Test("a cookie is sent with the requests that it matches", arguments: rows, TransportKind.allCases)
    func sending(row: Row, kind: TransportKind) async throws {
        // A space is invalid in a query, so the date has none.
        let sent = try await cookies(row.paths.map { $0.replacing("%20", with: "-") }, kind: kind)
        #expect(sent == row.cookies)
    }

    @Test("Foundation's storage sends the same cookies as a jar", arguments: rows, TransportKind.allCases)
    func foundation(row: Row, kind: TransportKind) async throws {
        let sent = try await cookies(
            row.paths.map { $0.replacing("%20", with: "-") },
            kind: kind,
            storage: nil,
            configure: { $0.httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage }
        )
        #expect(sent == row.cookies)
    }

    @Test(
        "a cookie is sent to another port of its host and not to another host name",
        arguments: TransportKind.allCases
    )
    func hosts(kind: TransportKind) async throws {
        try await HandlerServer.run { _ in
            .ok()
        } _: { second in
            let location = Locked("")
            try await kind.withHandlerServer { _ in
                .redirect(to: location.withLock { $0 }, "Set-Cookie: a=1")
            } _: { transport, server in
                let session = Session.alone(on: transport, cookieStorage: CookieJar())
                for target in [second.url("/port").absoluteString, second.named("/name")] {
                    location.withLock { $0 = target }
                    _ = try await session.data(for: URLRequest(url: server.url("/")))
                }
                #expect(second.lines == ["GET /port", "GET /name"])
                #expect(second.seen.map { $0["Cookie"] } == ["a=1", nil])
            }
        }
    }

    @Test("a request with cookies disabled sends and stores no cookies", arguments: TransportKind.allCases)
    func notHandled(kind: TransportKind) async throws {
        let jar = CookieJar()
        let sent = try await cookies(["/?a~1", "/redirect?b~1"], kind: kind, storage: jar) {
            $0.httpShouldHandleCookies = false
        }
        #expect(sent == [nil, nil, nil])
        #expect(jar.cookies.isEmpty)
        let kept = try await cookies(["/?a~1"], kind: kind, storage: jar)
        #expect(kept == [nil])
        #expect(jar.cookies.map(\.name) == ["a"])
        let unsent = try await cookies(["/"], kind: kind, storage: jar) { $0.httpShouldHandleCookies = false }
        #expect(unsent == [nil])
    }

    @Test("a Cookie header of the caller stays unchanged", arguments: TransportKind.allCases)
    func own(kind: TransportKind) async throws {
        let jar = CookieJar()
        let sent = try await cookies(["/?a~1", "/redirect", "/login"], kind: kind, storage: jar) {
            $0.setValue("own=1; other=2", forHTTPHeaderField: "Cookie")
        }
        #expect(sent == Array(repeating: "own=1; other=2", count: 5))
        #expect(jar.cookies.map(\.name) == ["a"])
    }

    @Test("the configuration decides whether cookies are sent and stored", arguments: TransportKind.allCases)
    func configured(kind: TransportKind) async throws {
        let jar = CookieJar()
        let unsent = try await cookies(
            ["/?a~1", "/", "/login"],
            kind: kind,
            storage: jar,
            configure: {
                $0.httpShouldSetCookies = false
            }
        )
        #expect(unsent == [nil, nil, nil, nil])
        #expect(jar.cookies.map(\.name) == ["a"])
        let kept = try await cookies(
            ["/?b~1", "/"],
            kind: kind,
            storage: jar,
            configure: {
                $0.httpCookieAcceptPolicy = .never
            }
        )
        #expect(kept == ["a=1", "a=1"])
        #expect(jar.cookies.map(\.name) == ["a"])
    }

    @Test("a session without a cookie storage sends no cookies", arguments: TransportKind.allCases)
    func none(kind: TransportKind) async throws {
        let sent = try await cookies(["/?a~1", "/", "/redirect?b~1", "/"], kind: kind, storage: nil)
        #expect(sent == [nil, nil, nil, nil, nil])
    }
}
