#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOCore
import NIOEmbedded
import NIOHPACK
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("Requests are written to an HTTP/2 connection", .timeLimit(.minutes(5)))
struct HTTP2RequestTests {
    @Test("an HTTP/2 request head of 60 KB is sent in CONTINUATION frames (RFC 9113, section 6.10)")
    func largeRequestHead() async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                try await peer.respond(body: "\(request["x-large"]?.count ?? 0)", on: request.stream)
            }
        } then: { transport, server in
            let name = try #require(HTTPField.Name("X-Large"))
            for count in [60_000, 20_000, 16_384, 10] {
                let headers: HTTPFields = [name: String(repeating: "~", count: count)]
                try await expectEqual(HTTP2Live.text(transport, server.url(), headers: headers), "\(count)")
            }
        }
    }

    @Test("a request head larger than the HTTP/2 server's limit is not sent, and the connection continues")
    func refusedRequestHead() async throws {
        try await HTTP2Live.run(settings: [(6, 4_000)], HTTP2Live.echo) { transport, server in
            try await expectEqual(HTTP2Live.text(transport, server.url("/a")), "/a")
            let name = try #require(HTTPField.Name("X-Large"))
            let headers: HTTPFields = [name: String(repeating: "x", count: 4_000)]
            do {
                _ = try await HTTP2Live.text(transport, server.url("/b"), headers: headers)
                Issue.record("It was sent.")
            } catch let error as URLError {
                #expect(error.code == .dataLengthExceedsMaximum)
                #expect(error.localizedDescription.contains("4000"))
            }
            try await expectEqual(HTTP2Live.text(transport, server.url("/c")), "/c")
        }
    }

    @Test("connection fields of HTTP/1.1 are not sent over HTTP/2 (RFC 9113, section 8.2.2)")
    func connectionFields() async throws {
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                try await peer.respond(body: request.fields.map(\.name).joined(separator: " "), on: request.stream)
            }
        } then: { transport, server in
            let headers: HTTPFields = [
                .connection: "close", .te: "gzip", .upgrade: "h2c", .transferEncoding: "chunked",
                HTTPField.Name("Keep-Alive") ?? .te: "1", HTTPField.Name("Proxy-Connection") ?? .te: "close",
                .accept: "*/*", HTTPField.Name("Host") ?? .te: "example.com",
            ]
            let text = try await HTTP2Live.text(transport, server.url(), headers: headers)
            #expect(text == ":method :scheme :authority :path accept")
            let trailers = try await HTTP2Live.text(transport, server.url(), headers: [.te: "trailers"])
            #expect(trailers == ":method :scheme :authority :path te")
        }
    }

    @Test(
        "a request that ends before its HTTP/2 stream is opened does not count as a stream",
        arguments: [false, true]
    )
    func unopened(isCancelled: Bool) throws {
        let url = try #require(URL(string: "https://h/"))
        let loop = EmbeddedEventLoop()
        let connector = try ConnectionSettings(.init()).connector(for: try #require(Origin(url)), host: "h")
        var (unopened, ended) = (0, 0)
        let connection = HTTP2Connection(on: loop, closeNow: {}, fail: { _, _ in }) { event in
            switch event {
            case .streamUnopened: unopened += 1
            case .streamEnded, .streamCompleted: ended += 1
            default: break
            }
        }
        let channel = EmbeddedChannel(handler: connection, loop: loop)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        var settings = ByteBuffer()
        settings.writeHTTP2Settings([.init(.maximumHeaderListSize, isCancelled ? 4_000 : 10)])
        try channel.writeInbound(settings)
        let request = TransportRequest(method: .get, url: url)
        let exchange = Exchange(request)
        if isCancelled { exchange.cancel() }
        connection.run(
            try ConnectionPool(connector, on: [loop]).makeRequest(request, body: .none, exchange: exchange)
        )
        #expect((unopened, ended) == (1, 0))
        connection.close()
    }

    @Test("an HTTP/2 request whose head cannot be encoded fails, and is not sent again")
    func unencodable() throws {
        let url = try #require(URL(string: "https://h/"))
        let loop = EmbeddedEventLoop()
        let connector = try ConnectionSettings(.init()).connector(for: try #require(Origin(url)), host: "h")
        var errors: [any Error] = []
        let connection = HTTP2Connection(on: loop, closeNow: {}, fail: { errors.append($1) }, report: { _ in })
        // An encoder in use accepts no other header section.
        var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
        try encoder.beginEncoding(allocator: ByteBufferAllocator())
        connection.machine = HTTP2ConnectionStateMachine(encoder: encoder)
        let channel = EmbeddedChannel(handler: connection, loop: loop)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        let request = TransportRequest(method: .get, url: url)
        connection.run(
            try ConnectionPool(connector, on: [loop])
                .makeRequest(request, body: .none, exchange: Exchange(request))
        )
        let error = URLError(connectionError: try #require(errors.first), url: url)
        #expect(errors.count == 1 && error.code == .unknown && !error.isRequestUnprocessed)
        var rule = ResendRule(for: request)
        #expect(rule.decide(error, elapsed: .zero) == nil)
        connection.close()
    }

    @Test(
        "an HTTP/2 request with a too large head does not use up the requests that the server is expected to accept"
    )
    func allowance() async throws {
        let connections = Locked(0)
        try await HTTP2Live.run(settings: [(6, 4_000)]) { peer in
            let number = connections.withLock { connections in
                connections += 1
                return connections
            }
            guard number == 1 else { return try await HTTP2Live.echo(peer) }
            guard let first = try await peer.request() else { return }
            try await peer.respond(on: first.stream)
            // The server accepts two requests, and refuses the third one.
            guard let second = try await peer.request(), try await peer.request() != nil else { return }
            try await peer.goAway(last: second.stream)
            try await peer.respond(body: second.path, on: second.stream)
        } then: { transport, server in
            _ = try await HTTP2Live.text(transport, server.url("/first"))
            async let one = HTTP2Live.resentText(transport, server.url("/a"))
            async let other = HTTP2Live.resentText(transport, server.url("/b"))
            let texts = try await [one, other]
            #expect(texts == ["/a", "/b"])
            let name = try #require(HTTPField.Name("X-Large"))
            let headers: HTTPFields = [name: String(repeating: "x", count: 4_000)]
            let code = await HTTP2Live.code {
                try await HTTP2Live.text(transport, server.url(), headers: headers)
            }
            #expect(code == .dataLengthExceedsMaximum)
            // The second connection has carried one request, and may carry another one.
            try await expectEqual(HTTP2Live.text(transport, server.url("/next")), "/next")
            #expect(connections.withLock { $0 } == 2)
        }
    }
}
#endif
