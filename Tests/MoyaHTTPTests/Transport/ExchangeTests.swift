import Foundation
import HTTPTypes
import MoyaHTTP
import TestServers
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("An exchange has the same result on every transport")
struct ExchangeTests {
    @Test(
        "the method, request target, headers and body of a request arrive unchanged",
        arguments: TransportKind.allCases
    )
    func bytes(kind: TransportKind) async throws {
        try await kind.withMisbehavingServer { transport, server in
            var request = TransportRequest(
                method: .post,
                url: try #require(URL(string: server.url(.echoes).absoluteString + "?q=a%20b&r=%C3%A9")),
                body: .data(Data("body\r\n\0".utf8))
            )
            request.headers = [.contentType: "text/plain", .accept: "*/*", .userAgent: "test"]
            let text = try String(decoding: await transport.send(request).collected(), as: UTF8.self)
            #expect(text.hasPrefix("POST /echoes?q=a%20b&r=%C3%A9 HTTP/1.1\r\n"))
            #expect(text.hasSuffix("\r\n\r\nbody\r\n\0"))
            let lines = text.lowercased().components(separatedBy: "\r\n")
            for line in ["content-type: text/plain", "accept: */*", "user-agent: test", "content-length: 7"] {
                #expect(lines.contains(line), "\(line) in \(lines)")
            }
        }
    }

    @Test("every request method arrives unchanged", arguments: TransportKind.allCases)
    func methods(kind: TransportKind) async throws {
        try await kind.withPlainServer { transport, server in
            for method: HTTPMethod in [.get, .post, .put, .patch, .delete, .options] {
                let response = try await transport.send(TransportRequest(method: method, url: server.url("/echo")))
                let echo = try JSONDecoder().decode(PlainServer.Echo.self, from: await response.collected())
                #expect(echo.method == method.rawValue)
            }
        }
    }

    @Test("fact 38: a GET with a body is sent or refused with a clear error")
    func getWithBody() async throws {
        try await PlainServer.run { server in
            for kind in TransportKind.allCases {
                let transport = kind.make()
                let request = TransportRequest(method: .get, url: server.url("/echo"), body: .data(Data("q".utf8)))
                if kind == .urlSession {
                    await #expect(throws: RequestValidationError.bodyNotAllowed(method: "GET")) {
                        try await transport.send(request)
                    }
                } else {
                    let data = try await transport.send(request).collected()
                    #expect(try JSONDecoder().decode(PlainServer.Echo.self, from: data).body == "q")
                }
                await transport.shutdown()
            }
        }
    }

    @Test("every status is returned as a response", arguments: TransportKind.allCases)
    func statuses(kind: TransportKind) async throws {
        try await kind.withPlainServer { transport, server in
            for code in [200, 201, 203, 206, 207, 300, 301, 302, 303, 307, 308, 400, 401, 404, 407, 418, 500, 503] {
                let request = TransportRequest(method: .get, url: server.url("/status/\(code)"))
                let response = try await transport.send(request)
                #expect(response.status == code)
                let body = try await response.collected()
                // URLSession on Linux drops the body of a possible redirect.
                if foundationIsOnLinux, kind == .urlSession, [301, 302, 303, 307, 308].contains(code) { continue }
                #expect(body == Data("status \(code)".utf8), "\(code)")
            }
        }
    }

    @Test("a transport returns a redirect as a response", arguments: TransportKind.allCases)
    func redirect(kind: TransportKind) async throws {
        try await kind.withPlainServer { transport, server in
            let response = try await transport.send(TransportRequest(method: .get, url: server.url("/redirect")))
            #expect(response.status == 302)
            #expect(response.headers[.location] == "/json")
            let body = try await response.collected()
            if !(foundationIsOnLinux && kind == .urlSession) { #expect(body == Data("elsewhere".utf8)) }
        }
    }

    @Test("a response without a body is complete", arguments: TransportKind.allCases)
    func noBody(kind: TransportKind) async throws {
        try await kind.withPlainServer { transport, server in
            let head = try await transport.sendAsSession(
                TransportRequest(method: .head, url: server.url("/status/200"))
            )
            #expect(head.status == 200)
            #expect(try await head.collected().isEmpty)
            let empty = try await transport.sendAsSession(TransportRequest(method: .get, url: server.url("/bytes/0")))
            #expect(try await empty.collected().isEmpty)
        }
    }

    @Test(
        "a response body up to the buffer limit is one value, and a longer body is a stream",
        arguments: TransportKind.allCases
    )
    func bufferLimit(kind: TransportKind) async throws {
        try await kind.withPlainServer { transport, server in
            let rows = [(1_000, 1_000, false), (1_001, 1_000, true), (5, 0, true), (0, 10, false)]
            for (count, limit, isStream) in rows {
                var request = TransportRequest(method: .get, url: server.url("/bytes/\(count)"))
                request.responseBufferLimit = limit
                let response = try await transport.send(request)
                if case .stream = response.body { #expect(isStream) } else { #expect(!isStream) }
                #expect(try await response.collected().count == count)
            }
        }
    }

    @Test("a long chunked response body arrives complete", arguments: TransportKind.allCases)
    func longBody(kind: TransportKind) async throws {
        try await kind.withPlainServer { transport, server in
            let response = try await transport.send(TransportRequest(method: .get, url: server.url("/chunks/3000")))
            #expect(try await response.collected() == Data(repeating: UInt8(ascii: "x"), count: 3_000_000))
        }
    }

    @Test("a gzip response body is decoded", arguments: TransportKind.allCases)
    func gzip(kind: TransportKind) async throws {
        try await kind.withPlainServer { transport, server in
            let response = try await transport.sendAsSession(TransportRequest(method: .get, url: server.url("/gzip")))
            #expect(try await response.collected() == Data("hello, hello, hello, hello".utf8))
        }
    }

    @Test("the exchange timeout ends an exchange that is never idle", arguments: TransportKind.allCases)
    func exchangeTimeout(kind: TransportKind) async throws {
        try await kind.withMisbehavingServer { transport, server in
            var request = TransportRequest(method: .get, url: server.url(.neverResponds))
            request.exchangeTimeout = .milliseconds(200)
            let error = await #expect(throws: URLError.self) { try await transport.send(request) }
            #expect(error?.code == .timedOut)
        }
    }

    @Test("cancelling the task of an exchange closes the connection", arguments: TransportKind.allCases)
    func cancel(kind: TransportKind) async throws {
        for misbehavior: Misbehavior in [.neverResponds, .stallsInBody] {
            let server = try await MisbehavingServer()
            let transport = kind.make()
            let task = Task {
                try await transport.send(TransportRequest(method: .get, url: server.url(misbehavior))).collected()
            }
            #expect(await server.wait(for: .request(path: "/\(misbehavior)")))
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(await server.wait(for: .closed(path: "/\(misbehavior)")))
            await transport.shutdown()
            try await server.shutDown()
        }
    }

    @Test("a task that is already cancelled sends no request", arguments: TransportKind.allCases)
    func cancelledBefore(kind: TransportKind) async throws {
        try await kind.withMisbehavingServer { transport, server in
            let (gate, open) = AsyncStream<Void>.makeStream()
            let task = Task {
                for await _ in gate {}
                return try await transport.send(TransportRequest(method: .get, url: server.url(.neverResponds)))
            }
            task.cancel()
            open.finish()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            // The server receives the next request first.
            _ = try await transport.send(TransportRequest(method: .get, url: server.url()))
            for await event in server.events {
                #expect(event == .request(path: "/none"))
                break
            }
        }
    }

    @Test("releasing a response body with held data closes the connection", arguments: TransportKind.allCases)
    func dropHeldBody(kind: TransportKind) async throws {
        try await kind.withPlainServer { transport, server in
            for _ in 0..<3 {
                var request = TransportRequest(method: .get, url: server.url("/chunks/3000"))
                request.responseBufferLimit = 10_000
                guard case .stream(let stream) = try await transport.send(request).body else {
                    Issue.record("no stream")
                    return
                }
                for try await chunk in stream {
                    #expect(!chunk.isEmpty)
                    break
                }
            }
            // The body is never read.
            var request = TransportRequest(method: .get, url: server.url("/chunks/3000"))
            request.responseBufferLimit = 0
            _ = try await transport.send(request)
        }
    }

    @Test("releasing a response body before its end closes the connection", arguments: TransportKind.allCases)
    func dropBody(kind: TransportKind) async throws {
        try await kind.withMisbehavingServer { transport, server in
            var request = TransportRequest(method: .get, url: server.url(.stallsInBody))
            request.responseBufferLimit = 0
            var response: TransportResponse? = try await transport.send(request)
            if case .stream(let stream) = response?.body {
                for try await chunk in stream {
                    #expect(chunk == Data("0123456789".utf8))
                    break
                }
            } else {
                Issue.record("no stream")
            }
            response = nil
            #expect(await server.wait(for: .closed(path: "/stallsInBody")))
        }
    }
}
