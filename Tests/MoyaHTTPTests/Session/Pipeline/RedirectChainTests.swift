import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A redirect is followed over a real connection", .timeLimit(.minutes(5)))
struct RedirectChainTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let status: Int
        let method: String
        /// The received request.
        let next: String
        var testDescription: String { "\(status) \(method)" }
        var hasBody: Bool { ["POST", "PUT", "PATCH"].contains(method) }
        var keepsBody: Bool { hasBody && next == method }
    }

    static let rows: [Row] = [301, 302, 303, 307, 308].flatMap { status in
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].map { method in
            let next =
                switch (status, method) {
                case (301, "POST"), (302, "POST"): "GET"
                case (303, "HEAD"): "HEAD"
                case (303, _): "GET"
                default: method
                }
            return Row(status: status, method: method, next: next)
        }
    }

    @Test(
        "a redirect causes a request with the method, body and headers that its status determines",
        arguments: rows,
        TransportKind.allCases
    )
    func methods(row: Row, kind: TransportKind) async throws {
        try await kind.withHandlerServer { seen in
            seen.head.path == "/a" ? .redirect(row.status, to: "/b?c=d") : .ok("there")
        } _: { transport, server in
            var headers = ["X-Own": "kept"]
            if row.hasBody { headers["Content-Type"] = "text/plain" }
            if row.hasBody { headers["Content-Language"] = "en" }
            let request = URLRequest(row.method, server.url("/a"), body: row.hasBody ? "body" : nil, headers)
            let response = try await Session.alone(on: transport).data(for: request)

            #expect(server.lines == ["\(row.method) /a", "\(row.next) /b?c=d"])
            let last = try #require(server.seen.last)
            #expect(last.body == (row.keepsBody ? "body" : ""))
            #expect(last["Content-Type"] == (row.keepsBody ? "text/plain" : nil))
            #expect(last["Content-Language"] == (row.keepsBody ? "en" : nil))
            let length = row.keepsBody ? "4" : nil
            #expect(last["Content-Length"] == length || !row.keepsBody && last["Content-Length"] == "0")
            #expect(last["X-Own"] == "kept")
            #expect(response.statusCode == 200)
            #expect(response.text == (row.next == "HEAD" ? "" : "there"))
            #expect(response.request.url == server.url("/a"))
            #expect(response.request.httpMethod == row.method)
            #expect(response.url == server.url("/b?c=d"))
            #expect(response.makeHTTPURLResponse()?.url == server.url("/b?c=d"))
        }
    }

    @Test("a redirect leads to its Location, relative to the previous URL", arguments: TransportKind.allCases)
    func locations(kind: TransportKind) async throws {
        let hops = [
            "/a/b": "c", "/a/c": "../d?x=1", "/d": "?y=2", "/d?y=2": "/e#new", "/e": "f", "/f": "//127.0.0.1:PORT/g",
        ]
        let port = Promise<Int>()
        try await kind.withHandlerServer { seen in
            guard let location = hops[seen.head.target] ?? hops[seen.head.path].flatMap({ $0 == "?y=2" ? $0 : nil })
            else { return .ok("end") }
            return .redirect(to: location.replacing("PORT", with: "\(port.value ?? 0)"))
        } _: { transport, server in
            port.fulfill(server.url().port ?? 0)
            let response = try await Session.alone(on: transport).data(for: URLRequest(url: server.url("/a/b#old")))
            #expect(server.lines == ["/a/b", "/a/c", "/d?x=1", "/d?y=2", "/e", "/f", "/g"].map { "GET \($0)" })
            #expect(response.url == server.url("/g#new"))
        }
    }

    @Test(
        "redirects are followed up to the limit over a real connection",
        arguments: [1, 3, 20],
        TransportKind.allCases
    )
    func limit(maximum: Int, kind: TransportKind) async throws {
        try await kind.withHandlerServer { seen in
            let number = Int(seen.head.path.dropFirst()) ?? 0
            return number == 0 ? .ok("end") : .redirect(to: "/\(number - 1)")
        } _: { transport, server in
            let handler = maximum == 20 ? nil : Redirector(maximumCount: maximum)
            let session = Session.alone(on: transport, redirectHandler: handler)
            let response = try await session.data(for: URLRequest(url: server.url("/\(maximum)")))
            #expect(response.text == "end")
            #expect(server.seen.count == maximum + 1)
            await expectRedirectError(.tooMany(maximum: maximum), .httpTooManyRedirects) {
                _ = try await session.data(for: URLRequest(url: server.url("/\(maximum + 1)")))
            }
            #expect(server.seen.count == 2 * (maximum + 1))
        }
    }

    @Test("a cycle of redirects is detected over a real connection", arguments: TransportKind.allCases)
    func loop(kind: TransportKind) async throws {
        try await kind.withHandlerServer { seen in
            .redirect(to: seen.head.path == "/a" ? "/b" : "/a")
        } _: { transport, server in
            await expectRedirectError(.loop, .httpTooManyRedirects) {
                _ = try await Session.alone(on: transport).data(for: URLRequest(url: server.url("/a")))
            }
            #expect(server.lines == ["GET /a", "GET /b"])
        }
    }

    @Test(
        "a redirect to another scheme fails and sends nothing",
        arguments: ["ftp://127.0.0.1/a", "file:///etc/passwd"]
    )
    func schemes(location: String) async throws {
        for kind in TransportKind.allCases {
            try await kind.withHandlerServer { _ in
                .redirect(to: location)
            } _: { transport, server in
                let scheme = String(location.prefix { $0 != ":" })
                await expectRedirectError(.unsupportedScheme(scheme), .unsupportedURL) {
                    _ = try await Session.alone(on: transport).data(for: URLRequest(url: server.url("/a")))
                }
            }
        }
    }

    @Test(
        "a redirect without a Location, or a status that is not a redirect, is returned as the response",
        arguments: [300, 301, 304, 305, 307],
        TransportKind.allCases
    )
    func answers(status: Int, kind: TransportKind) async throws {
        try await kind.withHandlerServer { _ in
            let hasLocation = [300, 304, 305].contains(status)
            return HandlerServer.Response(status: status, headers: hasLocation ? ["Location: /b"] : [])
        } _: { transport, server in
            let response = try await Session.alone(on: transport).data(for: URLRequest(url: server.url("/a")))
            #expect(response.statusCode == status)
            #expect(server.lines == ["GET /a"])
        }
    }
}
