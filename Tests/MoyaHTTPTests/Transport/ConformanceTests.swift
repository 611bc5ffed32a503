import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The scenarios of `Tests/CONFORMANCE.md`.
@Suite("Each scenario of HTTP has the same result on every transport and version", .timeLimit(.minutes(5)))
struct ConformanceTests {
    private static let text = Data("pong pong pong pong".utf8)

    // MARK: Unusual messages of HTTP/1.1

    /// A response, and its status and body; `nil` if it is an error.
    struct UnusualResponse: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var bytes: String
        var status: Int?
        var body = ""
        /// Whether URLSession and AsyncHTTPClient have the same result.
        var isSameEverywhere = true
    }

    static let unusualResponses: [UnusualResponse] = [
        .init(testDescription: "no HTTP", bytes: "PONG", isSameEverywhere: false),
        .init(testDescription: "lower case", bytes: "Http/1.1 200 OK\r\n\r\n", isSameEverywhere: false),
        .init(
            testDescription: "no reason",
            bytes: "HTTP/1.1 200\r\nContent-Length: 4\r\n\r\npong",
            status: 200,
            body: "pong",
            isSameEverywhere: false
        ),
        .init(testDescription: "204 with a length", bytes: "HTTP/1.1 204 -\r\nContent-Length: 99\r\n\r\n", status: 204),
        .init(testDescription: "304 with a length", bytes: "HTTP/1.1 304 -\r\nContent-Length: 99\r\n\r\n", status: 304),
        .init(testDescription: "incomplete", bytes: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\npong"),
        .init(testDescription: "no length", bytes: "HTTP/1.1 200 OK\r\n\r\npong", status: 200, body: "pong"),
        .init(
            testDescription: "two lengths",
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 4, 5\r\n\r\npong",
            isSameEverywhere: false
        ),
    ]

    @Test(
        "an unusual response of HTTP/1.1 is read or refused, over TLS as without it",
        arguments: unusualResponses,
        TransportVersion.ofHTTP1
    )
    func unusual(_ response: UnusualResponse, version: TransportVersion) async throws {
        guard response.isSameEverywhere || TransportVersion.ofNIO.contains(version) else { return }
        let bytes = response.bytes
        try await version.withSession { exchange in
            _ = try await exchange.body()
            try await exchange.close(after: bytes)
        } then: { session, server in
            let result = await Result.of { try await session.data(for: URLRequest("GET", server.url())) }
            switch (result, response.status) {
            case (.success(let received), let status?):
                #expect(received.statusCode == status)
                #expect(received.text == response.body)
            case (.failure, nil): break
            default: Issue.record("\(response.testDescription) gave \(result)")
            }
        }
    }

    // MARK: Methods, statuses and fields

    @Test("each method gets an empty 200 without trailers", arguments: TransportVersion.allCases)
    func empty(version: TransportVersion) async throws {
        try await version.withSession { exchange in
            _ = try await exchange.body()
            try await exchange.respond()
        } then: { session, server in
            for method in ["HEAD", "GET", "PUT", "POST", "DELETE"] {
                let response = try await session.data(for: URLRequest(method, server.url()))
                #expect(response.statusCode == 200, "\(method)")
                #expect(response.data.isEmpty && response.trailers.isEmpty, "\(method)")
            }
        }
    }

    @Test("a response to HEAD has a declared length and no body", arguments: TransportVersion.allCases)
    func head(version: TransportVersion) async throws {
        try await version.withSession { exchange in
            try await exchange.respond(body: Data(count: 1_000))
        } then: { session, server in
            let response = try await session.data(for: URLRequest("HEAD", server.url()))
            #expect(response.statusCode == 200 && response.data.isEmpty)
            #expect(response.headers[.contentLength] == "1000")
        }
    }

    @Test("an empty 404 and an empty 999 are responses", arguments: [404, 999], TransportVersion.allCases)
    func statuses(status: Int, version: TransportVersion) async throws {
        try await version.withSession { exchange in
            try await exchange.respond(status)
        } then: { session, server in
            let response = try await session.data(for: URLRequest("GET", server.url()))
            #expect(response.statusCode == status && response.data.isEmpty)
        }
    }

    @Test("a field of the request arrives with its name and value", arguments: TransportVersion.allCases)
    func field(version: TransportVersion) async throws {
        try await version.withSession(ReceivedExchange.echo) { session, server in
            let request = URLRequest("POST", server.url(), body: "ping", ["X-Mixed": "CaseOf value"])
            let received = try await session.data(for: request).received
            #expect(received.values("X-Mixed") == ["CaseOf value"])
            #expect(received.body == "ping")
        }
    }

    @Test("a field with an empty value arrives", arguments: TransportVersion.allCases)
    func emptyValue(version: TransportVersion) async throws {
        try await version.withSession(ReceivedExchange.echo) { session, server in
            let request = URLRequest("POST", server.url(), body: "ping", ["X-Empty": ""])
            let received = try await session.data(for: request).received
            #expect(received.values("X-Empty") == [""])
        }
    }

    @Test("two fields with one name arrive in order, separate or joined", arguments: TransportVersion.allCases)
    func sentValues(version: TransportVersion) async throws {
        try await version.run(ReceivedExchange.echo) { transport, server in
            let name = try #require(HTTPField.Name("X-Twice"))
            var request = TransportRequest(method: .get, url: server.url())
            request.headers.append(HTTPField(name: name, value: "first"))
            request.headers.append(HTTPField(name: name, value: "second"))
            let data = try await transport.send(request).collected()
            let received = try JSONDecoder().decode(ReceivedExchange.self, from: data)
            #expect(received.values("X-Twice") == ["first", "second"])
        }
    }

    @Test("two fields with one name in a response are read in order", arguments: TransportVersion.allCases)
    func receivedValues(version: TransportVersion) async throws {
        try await version.run { exchange in
            try await exchange.respond(headers: [("X-Twice", "first"), ("X-Twice", "second")])
        } then: { transport, server in
            let name = try #require(HTTPField.Name("X-Twice"))
            let response = try await transport.send(TransportRequest(method: .get, url: server.url()))
            let values = response.headers[values: name].flatMap { $0.components(separatedBy: ",") }
            #expect(values.map { $0.trimmingCharacters(in: .whitespaces) } == ["first", "second"])
        }
    }

    @Test(
        "the parameters of a query arrive in order, also empty and repeated ones",
        arguments: TransportVersion.allCases
    )
    func query(version: TransportVersion) async throws {
        try await version.withSession(ReceivedExchange.echo) { session, server in
            let request = URLRequest("GET", server.url("/q?a=1&b=2&c=&a=3"))
            let received = try await session.data(for: request).received
            #expect(received.target == "/q?a=1&b=2&c=&a=3")
        }
    }

    // MARK: Bodies

    @Test("a GET and a POST of the session arrive with their bodies", arguments: TransportVersion.allCases)
    func convenience(version: TransportVersion) async throws {
        try await version.withSession(ReceivedExchange.echo) { session, server in
            let get = try await session.data(for: URLRequest("GET", server.url())).received
            #expect(get.method == "GET" && get.body.isEmpty)
            let post = try await session.data(for: URLRequest("POST", server.url(), body: "ping")).received
            #expect(post.method == "POST" && post.body == "ping")
        }
    }

    @Test(
        "a streamed body returns unchanged, whether it is empty, short or a megabyte long",
        arguments: [0, 11, 1_000_000],
        TransportVersion.allCases
    )
    func echo(length: Int, version: TransportVersion) async throws {
        try await version.withSession { exchange in
            let body = try await exchange.body()
            try await exchange.respond(body: body)
        } then: { session, server in
            let bytes = Pattern().bytes(length)
            for declared in [nil, Int64(length)] {
                let response = try await session.data(
                    for: URLRequest("POST", server.url()),
                    body: .stream(InputStream(data: bytes), length: declared)
                )
                #expect(response.statusCode == 200)
                #expect(response.data == bytes)
            }
        }
    }

    @Test("a response may be left after its first piece", arguments: TransportVersion.allCases)
    func underRead(version: TransportVersion) async throws {
        let bytes = Pattern().bytes(1_000_000)
        try await version.withSession { exchange in
            // The client may close the connection.
            try await exchange.respond(body: bytes)
        } then: { session, server in
            for _ in 0..<3 {
                let (response, body) = try await session.stream(for: URLRequest("GET", server.url()))
                #expect(response.statusCode == 200)
                for try await piece in body {
                    #expect(piece.first == bytes.first)
                    break
                }
            }
            #expect(try await session.data(for: URLRequest("GET", server.url())).data == bytes)
        }
    }

    @Test("a response that is read piece by piece is complete", arguments: TransportVersion.allCases)
    func pieces(version: TransportVersion) async throws {
        let bytes = Pattern().bytes(1_000_000)
        try await version.withSession { exchange in
            try await exchange.respond(body: bytes)
        } then: { session, server in
            let (_, body) = try await session.stream(for: URLRequest("GET", server.url()))
            var read: [UInt8] = []
            for try await piece in body { for byte in piece { read.append(byte) } }
            #expect(Data(read) == bytes)
        }
    }

    /// The text in each coding.
    ///
    /// Brotli stores it uncompressed (RFC 7932, section 9.2).
    private static let codings: [String: Data] = [
        "gzip": (try? GzipEncoder.encode(text)) ?? Data(),
        "deflate": Data([120, 218, 43, 200, 207, 75, 87, 40, 64, 33, 0, 72, 43, 7, 49]),
        "br": Data([0x20, 0x01, 0x10]) + text + Data([0x03]),
    ]

    @Test(
        "a body in a coding that the client accepts is decoded, and a body without a coding is not",
        arguments: ["gzip", "deflate", "br", "identity"],
        TransportVersion.allCases
    )
    func coding(_ coding: String, version: TransportVersion) async throws {
        try await version.withSession { exchange in
            let isAccepted = exchange.values("Accept-Encoding").contains { $0.contains(coding) }
            if isAccepted, let coded = Self.codings[coding] {
                try await exchange.respond(headers: [("Content-Encoding", coding)], body: coded)
            } else {
                try await exchange.respond(body: Self.text)
            }
        } then: { session, server in
            let response = try await session.data(for: URLRequest("GET", server.url()))
            #expect(response.data == Self.text)
        }
    }

    // MARK: Redirects, cookies and caches

    @Test("a GET follows a redirect with 301 and 308", arguments: [301, 308], TransportVersion.allCases)
    func redirect(status: Int, version: TransportVersion) async throws {
        try await version.withSession { exchange in
            guard exchange.path == "/from" else { return try await ReceivedExchange.echo(exchange) }
            try await exchange.respond(status, headers: [("Location", "/to")])
        } then: { session, server in
            let response = try await session.data(for: URLRequest("GET", server.url("/from")))
            let received = try response.received
            #expect(response.statusCode == 200)
            #expect(received.method == "GET" && received.target == "/to" && received.body.isEmpty)
        }
    }

    @Test("a loop of two redirects is an error", arguments: TransportVersion.allCases)
    func loop(version: TransportVersion) async throws {
        try await version.withSession { exchange in
            try await exchange.respond(301, headers: [("Location", exchange.path == "/a" ? "/b" : "/a")])
        } then: { session, server in
            await expectRedirectError(.loop, .httpTooManyRedirects) {
                _ = try await session.data(for: URLRequest("GET", server.url("/a")))
            }
        }
    }

    @Test("a cookie of a response is sent with the next request", arguments: TransportVersion.allCases)
    func cookie(version: TransportVersion) async throws {
        try await version.run { exchange in
            guard exchange.path == "/set" else { return try await ReceivedExchange.echo(exchange) }
            try await exchange.respond(headers: [("Set-Cookie", "flavor=oat; Path=/")])
        } then: { transport, server in
            let session = Session.alone(on: transport, cookieStorage: CookieJar())
            _ = try await session.data(for: URLRequest("GET", server.url("/set")))
            let received = try await session.data(for: URLRequest("GET", server.url("/get"))).received
            #expect(received.values("Cookie") == ["flavor=oat"])
        }
    }

    @Test(
        "a stored response is validated by its ETag, and gets the fields of the 304",
        arguments: TransportVersion.allCases
    )
    func validation(version: TransportVersion) async throws {
        let number = Locked(0)
        try await version.run { exchange in
            let condition = exchange.values("If-None-Match")
            let (tag, isStored) = number.withLock { number in
                let tag = "\"\(number)\""
                defer { if condition == [tag] { number += 1 } }
                return (tag, condition == [tag])
            }
            let fields = [("ETag", tag), ("Cache-Control", "no-cache"), ("X-Stored", "\(isStored)")]
            if isStored {
                try await exchange.respond(304, headers: fields)
            } else {
                try await exchange.respond(headers: fields, text: tag)
            }
        } then: { transport, server in
            let session = Session(transport: transport, cache: .memory())
            let name = try #require(HTTPField.Name("X-Stored"))
            for number in 0..<3 {
                for isStored in [false, true] {
                    let response = try await session.data(for: URLRequest("GET", server.url()))
                    #expect(response.statusCode == 200 && response.text == "\"\(number)\"")
                    #expect(response.headers[.eTag] == "\"\(number)\"")
                    #expect(response.headers[name] == "\(isStored)")
                }
            }
        }
    }

    // MARK: Many requests, and cancellation

    @Test("100 concurrent requests get their responses", arguments: TransportVersion.allCases)
    func stress(version: TransportVersion) async throws {
        try await version.withSession(ReceivedExchange.echo) { session, server in
            let targets = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<100 {
                    let request = URLRequest("GET", server.url("/\(number)"))
                    group.addTask { try await session.data(for: request).received.target }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(targets == Set((0..<100).map { "/\($0)" }))
        }
    }

    @Test(
        "a request that is cancelled before its response fails, and the server notices it",
        arguments: TransportVersion.allCases
    )
    func cancelBeforeHead(version: TransportVersion) async throws {
        let (arrived, cancelled) = (Promise<Void>(), Promise<Void>())
        try await version.withSession { exchange in
            _ = try await exchange.body()
            arrived.fulfill(())
            try await exchange.waitUntilCancelled()
            cancelled.fulfill(())
        } then: { session, server in
            let request = URLRequest("GET", server.url())
            let task = Task { try await session.data(for: request) }
            await arrived.wait()
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            await cancelled.wait()
        }
    }

    @Test(
        "a request that is cancelled within its response's body fails, and the server notices it",
        arguments: TransportVersion.allCases
    )
    func cancelInBody(version: TransportVersion) async throws {
        let (arrived, cancelled) = (Promise<Void>(), Promise<Void>())
        try await version.withSession { exchange in
            _ = try await exchange.body()
            try await exchange.begin()
            try await exchange.write(Data(count: 1_000))
            try await exchange.waitUntilCancelled()
            cancelled.fulfill(())
        } then: { session, server in
            let request = URLRequest("GET", server.url())
            let task = Task {
                let (_, body) = try await session.stream(for: request)
                for try await _ in body { arrived.fulfill(()) }
            }
            await arrived.wait()
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            await cancelled.wait()
        }
    }

    // MARK: Trailers, and both directions at once

    #if NIO && !canImport(Darwin)
    @Test("a response's trailers are read", arguments: TransportVersion.ofNIO)
    func readTrailers(version: TransportVersion) async throws {
        try await version.withSession { exchange in
            try await exchange.begin()
            try await exchange.write(Self.text)
            try await exchange.end(trailers: [("X-One", "first"), ("X-Two", "second"), ("X-Sum", "abc")])
        } then: { session, server in
            let response = try await session.data(for: URLRequest("GET", server.url()))
            #expect(response.data == Self.text)
            #expect(response.trailers.map(\.value) == ["first", "second", "abc"])
            #expect(response.trailers.map(\.name.canonicalName) == ["x-one", "x-two", "x-sum"])
        }
    }

    @Test("a request's trailers arrive after its body", arguments: TransportVersion.ofNIO)
    func writeTrailers(version: TransportVersion) async throws {
        let (one, two) = (try #require(HTTPField.Name("X-One")), try #require(HTTPField.Name("X-Two")))
        try await version.withSession(ReceivedExchange.echo) { session, server in
            let body = HTTPBody.data(Data("ping".utf8)).withTrailers { [one: "first", two: "second"] }
            let received = try await session.data(for: URLRequest("POST", server.url()), body: body).received
            #expect(received.body == "ping")
            #expect(received.trailers == ["x-one: first", "x-two: second"])
        }
    }

    @Test("each piece of a body returns before the next one is sent", arguments: TransportVersion.ofNIO)
    func echoInTurns(version: TransportVersion) async throws {
        try await version.withSession { exchange in
            try await exchange.begin()
            while let piece = try await exchange.bodyPiece() { try await exchange.write(piece) }
            try await exchange.end()
        } then: { session, server in
            let (pieces, input) = AsyncStream<Data>.makeStream()
            let (response, body) = try await session.stream(
                for: URLRequest("POST", server.url()),
                body: .sequence(pieces)
            )
            #expect(response.statusCode == 200)
            var reader = body.makeAsyncIterator()
            for number in 0..<1_000 {
                let piece = Data([UInt8(number % 251)])
                input.yield(piece)
                let returned = try await reader.next()
                try #require(returned == piece, "\(number)")
            }
            input.finish()
            let end = try await reader.next()
            #expect(end == nil)
        }
    }

    @Test("each piece of a response is sent back before the next one arrives", arguments: TransportVersion.ofNIO)
    func speakInTurns(version: TransportVersion) async throws {
        try await version.withSession { exchange in
            try await exchange.begin()
            for number in 0..<1_000 {
                let piece = Data([UInt8(number % 251)])
                try await exchange.write(piece)
                guard try await exchange.bodyPiece() == piece else { throw CancellationError() }
            }
            try await exchange.end()
        } then: { session, server in
            let (pieces, input) = AsyncStream<Data>.makeStream()
            let (_, body) = try await session.stream(
                for: URLRequest("POST", server.url()),
                body: .sequence(pieces)
            )
            var count = 0
            for try await piece in body {
                count += piece.count
                input.yield(piece)
            }
            input.finish()
            #expect(count == 1_000)
        }
    }
    #endif
}
