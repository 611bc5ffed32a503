import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportKind {
    /// Whether URLSession reports no facts on this platform.
    fileprivate var knowsNothing: Bool { self == .urlSession && foundationIsOnLinux }

    /// Whether the transport knows the addresses of its connections.
    fileprivate var knowsAddresses: Bool {
        #if AsyncHTTPClient && !canImport(Darwin)
        if self == .asyncHTTPClient { return false }
        #endif
        return !knowsNothing
    }

    /// Whether the transport knows the reason phrase.
    fileprivate var knowsReasons: Bool {
        #if AsyncHTTPClient && !canImport(Darwin)
        if self == .asyncHTTPClient { return false }
        #endif
        return self != .urlSession
    }
}

@Suite("A response has facts about its connection", .timeLimit(.minutes(5)))
struct ResponseInfoTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let line: String
        let version: String
        let reason: String
        var bytes: [UInt8] = []
        var testDescription: String { line + (bytes.isEmpty ? "" : " and bytes") }
    }

    static let rows: [Row] = [
        Row(line: "HTTP/1.1 200 OK", version: "HTTP/1.1", reason: "OK"),
        Row(line: "HTTP/1.1 200 Everything is all right", version: "HTTP/1.1", reason: "Everything is all right"),
        Row(line: "HTTP/1.0 404 Not Found", version: "HTTP/1.0", reason: "Not Found"),
        Row(line: "HTTP/1.1 299 Zoë", version: "HTTP/1.1", reason: "Zoë"),
    ]

    @Test(
        "the HTTP version and the reason phrase of a response come from the status line",
        arguments: rows,
        TransportKind.allCases
    )
    func statusLine(_ row: Row, kind: TransportKind) async throws {
        let server = try await RawServer { connection in
            while try await connection.head() != nil {
                try await connection.writer.write("\(row.line)\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        try await kind.withTransport { transport in
            let session = Session(transport: transport)
            for _ in 0..<2 {
                let response = try await session.data(for: URLRequest(url: server.url()))
                let info = response.info
                #expect((info == nil) == kind.knowsNothing)
                guard let info else { return }
                #expect(info.httpVersion == row.version)
                #expect(info.reasonPhrase == (kind.knowsReasons ? row.reason : nil))
                guard kind.knowsAddresses else {
                    #expect(info.remoteAddress == nil && info.localAddress == nil)
                    return
                }
                let port = try #require(server.url().port)
                #expect(info.remoteAddress == ResponseInfo.Address(ipAddress: "127.0.0.1", port: port))
                #expect(info.localAddress?.ipAddress == "127.0.0.1")
                #expect(info.localAddress.map { $0.port > 0 && $0.port != port } == true)
            }
        }
        await server.shutDown()
    }

    @Test("downloads, streams and monitors have the facts about the connection", arguments: TransportKind.allCases)
    func everywhere(kind: TransportKind) async throws {
        let folder = try TemporaryFolder()
        let log = EventLog()
        try await kind.withReactingServer({
            $0.head.path == "/a" ? .respond(302, headers: ["Location: /b"]) : .respond(200)
        }) { transport, server in
            let session = Session(transport: transport, eventMonitors: [log])
            let file = folder.file("file")
            let version = kind.knowsNothing ? nil : "HTTP/1.1"
            let saved = try await session.download(server.request("/a"), to: { _, _ in (file, []) })
            #expect(saved.info?.httpVersion == version)
            let (streamed, body) = try await session.stream(for: server.request("/b"))
            #expect(streamed.info?.reasonPhrase == (kind.knowsReasons ? "-" : nil))
            for try await _ in body {}
            for event in log.events {
                if case .head = event.kind {
                    #expect(event.info?.httpVersion == version)
                } else {
                    #expect(event.info == nil)
                }
            }
        }
    }

    @Test("a stored response has no facts about a connection, and monitors get the facts of its validation")
    func cache() async throws {
        let log = EventLog()
        let server = CachedServer(eventMonitors: [log]) { _, count in
            var response = TransportResponse(status: count == 1 ? 200 : 304, headers: [.eTag: "\"1\""])
            response.headers[.cacheControl] = "max-age=60"
            response.info = ResponseInfo(httpVersion: "HTTP/1.1", reasonPhrase: "\(count)")
            return response
        }
        #expect(try await server.get().info?.reasonPhrase == "1")
        let cached = try await server.get()
        #expect(cached.source == .cache && cached.info == nil)
        server.wait(100)
        let revalidated = try await server.get()
        #expect(revalidated.source == .revalidated && revalidated.info == nil)
        #expect(log.events.compactMap(\.info?.reasonPhrase) == ["1", "2"])
    }

    @Test("addresses are described as in a URL, and the connection facts have a description")
    func descriptions() {
        let four = ResponseInfo.Address(ipAddress: "192.0.2.1", port: 443)
        let six = ResponseInfo.Address(ipAddress: "2001:db8::1", port: 80)
        #expect("\(four)" == "192.0.2.1:443")
        #expect("\(six)" == "[2001:db8::1]:80")
        let info = ResponseInfo(httpVersion: "HTTP/1.1", reasonPhrase: "Not Found", remoteAddress: six)
        #expect("\(info)" == "HTTP/1.1 \"Not Found\" [2001:db8::1]:80")
        #expect("\(ResponseInfo())" == "")
        #expect(info == ResponseInfo(httpVersion: "HTTP/1.1", reasonPhrase: "Not Found", remoteAddress: six))
        #expect(info != ResponseInfo(httpVersion: "HTTP/1.1", reasonPhrase: "Not Found", remoteAddress: four))
        #expect(info != ResponseInfo(httpVersion: "HTTP/1.1", reasonPhrase: "not found", remoteAddress: six))
    }

    #if NIO && !canImport(Darwin)
    static let lenientRows: [Row] = [
        Row(line: "HTTP/1.1 200", version: "HTTP/1.1", reason: ""),
        Row(line: "HTTP/1.1 200 ", version: "HTTP/1.1", reason: ""),
        Row(line: "HTTP/1.7 200 OK", version: "HTTP/1.7", reason: "OK"),
        Row(line: "HTTP/1.1 200  a  b ", version: "HTTP/1.1", reason: " a  b "),
        Row(line: "HTTP/1.1 200 caf", version: "HTTP/1.1", reason: "café", bytes: [0xE9]),
        // The text must not control a terminal.
        Row(line: "HTTP/1.1 200 \u{1B}[31m\u{7F}", version: "HTTP/1.1", reason: " [31m "),
    ]

    @Test("any accepted status line is reported in the connection facts", arguments: lenientRows)
    func lenient(_ row: Row) async throws {
        let server = try await RawServer { connection in
            while try await connection.head() != nil {
                let rest = "\r\nContent-Length: 2\r\n\r\nok"
                try await connection.writer.write(Data(row.line.utf8) + row.bytes + Data(rest.utf8))
            }
        }
        try await TransportKind.nio.withTransport { transport in
            let response = try await transport.send(TransportRequest(method: .get, url: server.url()))
            #expect(response.info?.httpVersion == row.version)
            #expect(response.info?.reasonPhrase == row.reason)
        }
        await server.shutDown()
    }

    @Test("responses on one connection may have different versions and reason phrases")
    func different() async throws {
        let lines = ["HTTP/1.1 200 OK", "HTTP/1.1 200 Fine", "HTTP/1.1 404 OK", "HTTP/1.1 200 OK"]
        let server = try await RawServer { connection in
            for line in lines {
                _ = try await connection.head()
                try await connection.writer.write("\(line)\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        try await TransportKind.nio.withTransport { transport in
            var addresses: Set<ResponseInfo.Address?> = []
            for line in lines {
                let response = try await transport.send(TransportRequest(method: .get, url: server.url()))
                #expect(response.info?.reasonPhrase == String(line.dropFirst(13)))
                addresses.insert(response.info?.localAddress)
            }
            #expect(addresses.count == 1)
        }
        await server.shutDown()
    }

    @Test("a response over HTTP/2 has no reason phrase")
    func http2() async throws {
        try await HTTP2Live.run(HTTP2Live.echo) { transport, server in
            let response = try await transport.send(TransportRequest(method: .get, url: server.url()))
            let info = try #require(response.info)
            #expect(info.httpVersion == "HTTP/2")
            #expect(info.reasonPhrase == nil)
            #expect(info.remoteAddress?.port == server.url().port)
            #expect(info.localAddress != nil)
        }
    }

    @Test("the address of a response is the proxy's if there is a proxy")
    func proxy() async throws {
        let proxy = try await RawServer { connection in
            _ = try await connection.head()
            try await connection.writer.write("HTTP/1.1 200 Proxied\r\nContent-Length: 2\r\n\r\nok")
        }
        let port = try #require(proxy.url().port)
        var configuration = TransportConfiguration()
        configuration.proxy = .http(host: "127.0.0.1", port: port)
        let transport = try NIOTransport(connection: configuration)
        let url = try #require(URL(string: "http://server.test/"))
        let response = try await transport.shutDown(after: {
            try await transport.send(TransportRequest(method: .get, url: url))
        })
        #expect(response.info?.reasonPhrase == "Proxied")
        #expect(response.info?.remoteAddress?.port == port)
        await proxy.shutDown()
    }

    /// Returns the interim responses of a log, with their fields, and the response.
    private func heads(_ log: EventLog) -> [String] {
        log.events.compactMap { event in
            switch event.kind {
            case .interim(let status, let headers): "\(status) \(headers[Self.link] ?? "")"
            case .head(let status, _): "\(status)"
            default: nil
            }
        }
    }

    private static let link = HTTPField.Name("Link")!

    @Test("monitors get interim responses before the response", arguments: [0, 1])
    func interim(count: Int) async throws {
        let server = try await RawServer { connection in
            while try await connection.head() != nil {
                let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                try await connection.writer.write("HTTP/1.1 102 Processing\r\n\r\n\(hints)\(hints)")
                try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let log = EventLog()
        try await TransportKind.nio.withTransport { transport in
            let session = Session(transport: transport, eventMonitors: [log])
            for _ in 0...count { _ = try await session.data(for: URLRequest(url: server.url())) }
        }
        let expected = ["102 ", "103 </a>", "103 </a>", "200"]
        #expect(heads(log) == (count == 0 ? expected : expected + expected))
        await server.shutDown()
    }

    @Test("monitors get interim responses over HTTP/2")
    func interimHTTP2() async throws {
        let log = EventLog()
        try await HTTP2Live.run { peer in
            while let request = try await peer.request() {
                try await peer.send(headers: [(":status", "103"), ("link", "</a>")], on: request.stream)
                try await peer.respond(on: request.stream)
            }
        } then: { transport, server in
            _ = try await Session(transport: transport, eventMonitors: [log]).data(
                for: URLRequest(url: server.url())
            )
        }
        #expect(heads(log) == ["103 </a>", "200"])
    }

    @Test(
        "the request's callback gets interim responses in addition to the monitors, and a middleware may set the callback"
    )
    func callback() async throws {
        struct Hints: HTTPMiddleware {
            let seen: TestLog

            func respond(
                to request: TransportRequest,
                context: RequestContext,
                next: @escaping Next
            ) async throws -> TransportResponse {
                var request = request
                request.onInterimResponse = { status, _ in seen.note("\(status)") }
                return try await next(request)
            }
        }
        let server = try await RawServer { connection in
            while try await connection.head() != nil {
                try await connection.writer.write("HTTP/1.1 103 Early Hints\r\n\r\n")
                try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        for isOuter in [true, false] {
            let (log, seen) = (EventLog(), TestLog())
            try await TransportKind.nio.withTransport { transport in
                let session = Session(
                    transport: transport,
                    eventMonitors: [log],
                    middleware: isOuter ? [Hints(seen: seen)] : [],
                    exchangeMiddleware: isOuter ? [] : [Hints(seen: seen)]
                )
                _ = try await session.data(for: URLRequest(url: server.url()))
            }
            #expect(seen.lines == ["103"])
            #expect(heads(log) == ["103 ", "200"])
        }
        await server.shutDown()
    }
    #endif
}
