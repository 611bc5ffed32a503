#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("Trailers of responses are read", .timeLimit(.minutes(5)))
struct TrailersTests {
    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"

    /// Runs a test with a server that responds to each request with these bytes.
    private func run(
        _ response: String,
        _ body: (NIOTransport, RawServer) async throws -> Void
    ) async throws {
        let server = try await RawServer { connection in
            while try await connection.head() != nil { try await connection.writer.write(response) }
        }
        let transport = NIOTransport()
        try await transport.shutDown(after: { try await body(transport, server) })
        await server.shutDown()
    }

    @Test("a complete body's trailers are in the response")
    func complete() async throws {
        let text = "\(Self.head)\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\nServer-Timing: db\r\nX-Sum: 2\r\n\r\n"
        try await run(text) { transport, server in
            for _ in 0..<2 {
                let response = try await transport.send(TransportRequest(method: .get, url: server.url()))
                #expect(response.trailers[values: try #require(.init("X-Sum"))] == ["1", "2"])
                #expect(response.trailers.count == 3)
                #expect(response.headers.count == 1)
            }
            let response = try await Session.alone(on: transport).data(for: URLRequest(url: server.url()))
            #expect(response.text == "ok")
            #expect(response.trailers.combined.dictionary == ["X-Sum": "1, 2", "Server-Timing": "db"])
        }
    }

    @Test(
        "a response without trailer fields has empty trailers",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "\(head)\r\n2\r\nok\r\n0\r\n\r\n",
        ]
    )
    func none(text: String) async throws {
        try await run(text) { transport, server in
            let response = try await transport.send(TransportRequest(method: .get, url: server.url()))
            #expect(response.trailers.isEmpty)
            let (_, body) = try await Session.alone(on: transport).stream(for: URLRequest(url: server.url()))
            for try await _ in body {}
            #expect(body.trailers == [:])
        }
    }

    @Test("a stream's trailers are nil until the end of the stream")
    func stream() async throws {
        let gate = Promise<Void>()
        let server = try await RawServer { connection in
            while try await connection.head() != nil {
                try await connection.writer.write("\(Self.head)\r\n1\r\na\r\n")
                await gate.wait()
                try await connection.writer.write("1\r\nb\r\n0\r\nX-Sum: 1\r\n\r\n")
            }
        }
        let transport = NIOTransport()
        try await transport.shutDown {
            let (response, body) = try await Session.alone(on: transport).stream(
                for: URLRequest(url: server.url())
            )
            var reader = body.makeAsyncIterator()
            let first = try await reader.next()
            #expect(first == Data("a".utf8))
            #expect(body.trailers == nil)
            gate.fulfill(())
            let second = try await reader.next()
            #expect(second == Data("b".utf8))
            // The end has arrived but was not read.
            #expect(body.trailers == nil)
            let end = try await reader.next()
            #expect(end == nil)
            #expect(body.trailers?.combined.dictionary == ["X-Sum": "1"])
            #expect(response.trailers.isEmpty)
        }
        await server.shutDown()
    }

    @Test("a stream that is truncated in its trailers has no trailers")
    func broken() async throws {
        let server = try await RawServer { connection in
            guard try await connection.head() != nil else { return }
            try await connection.writer.write("\(Self.head)\r\n1\r\na\r\n0\r\nX-Sum: 1\r\n")
        }
        let transport = NIOTransport()
        try await transport.shutDown {
            let (_, body) = try await Session.alone(on: transport).stream(for: URLRequest(url: server.url()))
            let error = await #expect(throws: URLError.self) { for try await _ in body {} }
            #expect(error?.code == .networkConnectionLost)
            #expect(body.trailers == nil)
        }
        await server.shutDown()
    }

    /// RFC 9110, section 6.5.1.
    @Test("forbidden trailer fields are dropped")
    func forbidden() async throws {
        let forbidden = """
            Transfer-Encoding: gzip, Content-Length: 7, Connection: close, Host: evil, Set-Cookie: a=b, \
            Content-Encoding: gzip, Content-Type: text/evil, Location: /evil, Cache-Control: max-age=9999, \
            WWW-Authenticate: Basic, Trailer: X, Content-Range: bytes 0-1/2, Age: 1, Vary: *, Retry-After: 9
            """
        let lines = forbidden.split(separator: ", ").joined(separator: "\r\n")
        let connections = Locked(0)
        let server = try await RawServer { connection in
            connections.withLock { $0 += 1 }
            while try await connection.head() != nil {
                try await connection.writer.write(
                    "\(Self.head)Content-Type: text/plain\r\n\r\n2\r\nok\r\n0\r\n\(lines)\r\nETag: \"1\"\r\n\r\n"
                )
            }
        }
        let transport = NIOTransport()
        try await transport.shutDown {
            let cookies = CookieJar()
            let session = Session.alone(on: transport, cookieStorage: cookies)
            for _ in 0..<2 {
                let response = try await session.data(for: URLRequest(url: server.url()))
                #expect(response.statusCode == 200)
                #expect(response.text == "ok")
                #expect(response.headers[.contentType] == "text/plain")
                #expect(response.trailers.combined.dictionary == ["ETag": "\"1\""])
                #expect(cookies.cookies(for: server.url()).isEmpty)
            }
            // `Connection: close` had no effect.
            #expect(connections.withLock { $0 } == 1)
        }
        await server.shutDown()
    }

    @Test("a decoded body keeps its trailers, buffered or streamed", arguments: [1, 200_000])
    func decoded(length: Int) async throws {
        let coded = try GzipEncoder.encode(Data(repeating: 0x61, count: length))
        let server = try await RawServer { connection in
            while try await connection.head() != nil {
                try await connection.writer.write("\(Self.head)Content-Encoding: gzip\r\n\r\n")
                try await connection.writer.writeChunk(coded)
                try await connection.writer.write("0\r\nX-Sum: 1\r\n\r\n")
            }
        }
        let transport = NIOTransport()
        try await transport.shutDown {
            let session = Session.alone(on: transport)
            let response = try await session.data(for: URLRequest(url: server.url()))
            #expect(response.data.count == length)
            #expect(response.trailers.combined.dictionary == ["X-Sum": "1"])
            let (_, body) = try await session.stream(for: URLRequest(url: server.url()))
            for try await _ in body { #expect(body.trailers == nil) }
            #expect(body.trailers?.combined.dictionary == ["X-Sum": "1"])
        }
        await server.shutDown()
    }

    @Test("a download, and a refused stream that is collected, have trailers in the response")
    func collected() async throws {
        let folder = try TemporaryFolder()
        let text = "\(Self.head)\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n"
        try await run(text) { transport, server in
            let session = Session.alone(on: transport)
            let file = folder.file("a")
            let download = try await session.download(URLRequest(url: server.url())) { _, _ in (file, []) }
            #expect(download.trailers.combined.dictionary == ["X-Sum": "1"])
            let (response, body) = try await session.stream(
                for: URLRequest(url: server.url()),
                record: RequestRecord(),
                settings: RequestSettings(isAccepted: { $0 >= 400 })
            )
            #expect(response.text == "ok")
            #expect(response.trailers.combined.dictionary == ["X-Sum": "1"])
            for try await _ in body {}
            #expect(body.trailers?.combined.dictionary == ["X-Sum": "1"])
        }
    }

    @Test("a cache passes trailers on and does not store them (RFC 9111, section 3.1)")
    func cached() async throws {
        let server = CachedServer { _, _ in
            TransportResponse(
                status: 200,
                headers: [.cacheControl: "max-age=60"],
                body: .complete(Data("a".utf8)),
                trailers: [.eTag: "1"]
            )
        }
        let first = try await server.get()
        #expect(first.trailers == [.eTag: "1"])
        let second = try await server.get()
        #expect(second.source == .cache)
        #expect(second.trailers.isEmpty)
    }

    @Test("an HTTP/2 response with a complete body or a stream has trailers without forbidden fields")
    func http2() async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                try await peer.send(headers: [(":status", "200")], on: request.stream)
                try await peer.send(data: "ok", on: request.stream)
                try await peer.send(
                    headers: [("x-sum", "1"), ("set-cookie", "a=b"), ("content-length", "9")],
                    on: request.stream,
                    isEnd: true
                )
            }
        } then: { transport, server in
            let session = Session.alone(on: transport)
            let response = try await session.data(for: URLRequest(url: server.url()))
            #expect(response.text == "ok")
            #expect(response.trailers.combined.dictionary == ["x-sum": "1"])
            let (_, body) = try await session.stream(for: URLRequest(url: server.url()))
            for try await _ in body { #expect(body.trailers == nil) }
            #expect(body.trailers?.combined.dictionary == ["x-sum": "1"])
        }
    }

    @Test("an HTTP/2 response with only a head and trailers has its trailers")
    func withoutBody() async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                try await peer.send(headers: [(":status", "200")], on: request.stream)
                try await peer.send(headers: [("grpc-status", "5")], on: request.stream, isEnd: true)
            }
        } then: { transport, server in
            let response = try await transport.send(TransportRequest(method: .get, url: server.url()))
            #expect(response.trailers.combined.dictionary == ["grpc-status": "5"])
            #expect(response.headers.isEmpty)
        }
    }

    @Test("a middleware that replaces a stream passes the stream's trailers on")
    func replaced() async throws {
        let source = TransportBodyStream(of: TransportResponse(status: 200, trailers: [.eTag: "1"]))
        let iterator = Locked(source.makeAsyncIterator())
        let stream = TransportBodyStream {
            var reader = iterator.withLock { $0 }
            return try await reader.next()
        } trailers: {
            source.trailers
        }
        #expect(stream.trailers == nil)
        for try await _ in stream {}
        #expect(stream.trailers == [.eTag: "1"])
    }
}
#endif
