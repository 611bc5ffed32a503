import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A request body can have trailers", .timeLimit(.minutes(5)))
struct RequestTrailersTests {
    private static let sum = HTTPField.Name("X-Sum") ?? .eTag

    @Test(
        "a transport that cannot send trailers refuses them with a clear error, and sends nothing",
        arguments: TransportVersion.allCases.filter { !TransportVersion.ofNIO.contains($0) }
    )
    func refused(version: TransportVersion) async throws {
        let count = Locked(0)
        try await version.run { exchange in
            count.withLock { $0 += 1 }
            try await exchange.respond()
        } then: { transport, server in
            for body: HTTPBody in [.data(Data("text".utf8)), .data(Data()), .stream(InputStream(data: Data([1])))] {
                let body = body.withTrailers { [Self.sum: "1"] }
                await #expect(throws: RequestValidationError.trailersNotSupported) {
                    try await transport.send(TransportRequest(method: .post, url: server.url(), body: body))
                }
            }
            #expect(count.withLock { $0 } == 0)
        }
    }

    #if NIO && !canImport(Darwin)
    /// The kinds of bodies with the same bytes.
    private static func bodies(_ bytes: Data, _ file: URL) -> [HTTPBody] {
        [
            .data(bytes), .file(file), .stream(InputStream(data: bytes)),
            .stream(InputStream(data: bytes), length: Int64(bytes.count)),
            .sequence(elements(bytes.chunks(of: 7_000))),
            .sequence(elements(bytes.chunks(of: 100_000)), length: Int64(bytes.count)),
            .data(bytes).observingProgress { _, _ in },
        ]
    }

    @Test(
        "trailers follow a body of each kind, which may be empty",
        arguments: [0, 1, 300_001],
        TransportVersion.ofNIO
    )
    func kinds(length: Int, version: TransportVersion) async throws {
        let bytes = Pattern().bytes(length)
        let file = try TemporaryFile(bytes)
        let received = Recorder<[String]>()
        let heads = Recorder<[RequestHead.Field]>()
        try await version.run { exchange in
            let isEqual = try await exchange.body() == bytes
            received.add(exchange.trailers.map { "\($0.name): \($0.value)" })
            heads.add(exchange.fields)
            try await exchange.respond(text: "\(isEqual)")
        } then: { transport, server in
            for body in Self.bodies(bytes, file.url) {
                let body = body.withTrailers([Self.sum, .eTag]) { [Self.sum: "1", .eTag: "\"a\""] }
                let request = TransportRequest(method: .post, url: server.url(), body: body)
                try await expectEqual(transport.send(request).collected(), Data("true".utf8))
            }
        }
        let count = Self.bodies(bytes, file.url).count
        #expect(received.values == Array(repeating: ["x-sum: 1", "etag: \"a\""], count: count))
        for fields in heads.values {
            #expect(fields.filter { $0.name == "trailer" }.map(\.value) == ["X-Sum, ETag"])
            #expect(!fields.contains { $0.name == "content-length" })
            #expect(fields.contains { $0.name == "transfer-encoding" } == !version.isHTTP2)
        }
    }

    @Test(
        "the function is called once, when the body has been read to its end",
        arguments: TransportVersion.ofNIO
    )
    func order(version: TransportVersion) async throws {
        let log = Recorder<String>()
        let bytes = Pattern().bytes(200_000)
        let hash = Locked(UInt64(0))
        @Sendable func digest(_ bytes: Data, from start: UInt64 = 0) -> UInt64 {
            bytes.reduce(start) { ($0 &* 31) &+ UInt64($1) }
        }
        let chunks = Locked(bytes.chunks(of: 10_000))
        let pieces = AsyncStream<Data>(unfolding: {
            guard let piece = chunks.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                log.add("end")
                return nil
            }
            hash.withLock { $0 = digest(piece, from: $0) }
            return piece
        })
        try await version.withSession(ReceivedExchange.echo) { session, server in
            let body = HTTPBody.sequence(pieces).withTrailers {
                log.add("trailers")
                return [Self.sum: String(hash.withLock { $0 })]
            }
            let received = try await session.data(for: URLRequest("PUT", server.url()), body: body).received
            #expect(received.trailers == ["x-sum: \(digest(bytes))"])
        }
        #expect(log.values == ["end", "trailers"])
    }

    @Test(
        "no fields end the body without trailers, and the request's Trailer field stays unchanged",
        arguments: TransportVersion.ofNIO
    )
    func none(version: TransportVersion) async throws {
        try await version.withSession(ReceivedExchange.echo) { session, server in
            for text in ["", "text"] {
                let body = HTTPBody.data(Data(text.utf8)).withTrailers { [:] }
                let received = try await session.data(for: URLRequest("POST", server.url()), body: body).received
                #expect(received.body == text && received.trailers.isEmpty)
                #expect(received.values("Trailer").isEmpty)
            }
            let body = HTTPBody.data(Data()).withTrailers([Self.sum]) { [Self.sum: "1"] }
            let request = URLRequest("POST", server.url(), ["Trailer": "X-Other"])
            let received = try await session.data(for: request, body: body).received
            #expect(received.values("Trailer") == ["X-Other"])
            #expect(received.trailers == ["x-sum: 1"])
        }
    }

    @Test(
        "a field that may not be in trailers fails the request, whose body does not look complete (RFC 9110, 6.5.1)",
        arguments: [
            "Content-Length", "transfer-encoding", "HOST", "Trailer", "TE", "Connection", "Content-Type",
            "Content-Encoding", "Content-Range", "Authorization", "Cookie", "Set-Cookie", "Expect", "Range",
            "If-Match", "Cache-Control", "Max-Forwards",
        ],
        TransportVersion.ofNIO
    )
    func forbidden(name: String, version: TransportVersion) async throws {
        let field = try #require(HTTPField.Name(name))
        let isWhole = Promise<Bool>()
        try await version.run { exchange in
            defer { isWhole.fulfill(false) }
            _ = try await exchange.body()
            isWhole.fulfill(true)
        } then: { transport, server in
            let body = HTTPBody.data(Data("text".utf8)).withTrailers { [Self.sum: "1", field: "1"] }
            let request = TransportRequest(method: .post, url: server.url(), body: body)
            let error = await #expect(throws: RequestBodyError.self) { try await transport.send(request) }
            #expect(error?.reason == .trailerNotAllowed(name: name))
            #expect(await isWhole.wait() == false)
            // A forbidden name is detected before the request.
            let named = HTTPBody.data(Data("text".utf8)).withTrailers([field]) { [:] }
            await #expect(throws: RequestBodyError(.trailerNotAllowed(name: name))) {
                try await transport.send(TransportRequest(method: .post, url: server.url(), body: named))
            }
        }
    }

    @Test(
        "an error of the function fails the request, whose body does not look complete",
        arguments: TransportVersion.ofNIO
    )
    func failing(version: TransportVersion) async throws {
        struct Failure: Error {}
        let isWhole = Promise<Bool>()
        try await version.run { exchange in
            guard exchange.method == "POST" else { return try await exchange.respond(text: "next") }
            defer { isWhole.fulfill(false) }
            _ = try await exchange.body()
            isWhole.fulfill(true)
        } then: { transport, server in
            let body = HTTPBody.data(Data("text".utf8)).withTrailers { throw Failure() }
            let request = TransportRequest(method: .post, url: server.url(), body: body)
            let error = await #expect(throws: RequestBodyError.self) { try await transport.send(request) }
            #expect(error?.reason == .failed && error?.underlyingError is Failure)
            #expect(await isWhole.wait() == false)
            let next = try await transport.send(TransportRequest(method: .get, url: server.url()))
            try await expectEqual(next.collected(), Data("next".utf8))
        }
    }

    @Test("the function is called again for a retry", arguments: TransportVersion.ofNIO)
    func retry(version: TransportVersion) async throws {
        let (calls, received) = (Locked(0), Recorder<String>())
        try await version.run { exchange in
            _ = try await exchange.body()
            received.add(exchange.trailers.map(\.value).joined(separator: ", "))
            try await exchange.respond(received.values.count < 3 ? 503 : 200)
        } then: { transport, server in
            let policy = RetryPolicy(retryLimit: 2, exponentialBackoffScale: 0.001)
            let session = Session.alone(on: transport, interceptor: policy)
            let body = HTTPBody.data(Data("text".utf8)).withTrailers {
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                return [Self.sum: String(call)]
            }
            let response = try await session.data(for: URLRequest("PUT", server.url()), body: body)
            #expect(response.statusCode == 200)
        }
        #expect(received.values == ["1", "2", "3"])
    }

    @Test(
        "a redirect that repeats the body repeats the trailers, and one that drops the body drops them",
        arguments: [307, 308, 303],
        TransportVersion.ofNIO
    )
    func redirect(status: Int, version: TransportVersion) async throws {
        let received = Recorder<[String]>()
        try await version.withSession { exchange in
            _ = try await exchange.body()
            received.add(exchange.trailers.map(\.value) + exchange.values("Trailer"))
            if exchange.path == "/from" {
                try await exchange.respond(status, headers: [("Location", "/to")])
            } else {
                try await exchange.respond(text: exchange.method)
            }
        } then: { session, server in
            let body = HTTPBody.data(Data("text".utf8)).withTrailers([Self.sum]) { [Self.sum: "1"] }
            let response = try await session.data(for: URLRequest("POST", server.url("/from")), body: body)
            #expect(response.text == (status == 303 ? "GET" : "POST"))
        }
        #expect(received.values == [["1", "X-Sum"], status == 303 ? [] : ["1", "X-Sum"]])
    }

    @Test("a gzipped body has trailers", arguments: TransportVersion.ofNIO)
    func gzipped(version: TransportVersion) async throws {
        let bytes = Pattern().bytes(100_000)
        let coded = try GzipEncoder.encode(bytes)
        try await version.run { exchange in
            let isEqual = try await exchange.body() == coded
            try await exchange.respond(text: "\(isEqual) \(exchange.trailers.map(\.value))")
        } then: { transport, server in
            let bodies = [
                HTTPBody.data(bytes).withTrailers { [Self.sum: "1"] }.gzipped(),
                HTTPBody.data(bytes).gzipped().withTrailers { [Self.sum: "1"] },
            ]
            for body in bodies {
                let request = TransportRequest(
                    method: .post,
                    url: server.url(),
                    headers: [.contentEncoding: "gzip"],
                    body: body
                )
                try await expectEqual(transport.send(request).collected(), Data("true [\"1\"]".utf8))
            }
        }
    }

    @Test("random trailers arrive unchanged, up to 100 of them", arguments: 0..<8 as Range<UInt64>)
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let letters = Array("abcXYZ019-_.!#$%&'*+^`|~")
        let values = [
            "", "a", "a b\tc", "\u{e9}\u{2713}\u{1f600}", "\"quoted, list\"; q=1",
            String(repeating: "x", count: 500),
        ]
        let count = [0, 1, 100].randomElement(using: &random) ?? 0
        var fields = HTTPFields()
        for number in 0..<count {
            let suffix = (0..<8).compactMap { _ in letters.randomElement(using: &random) }
            let name = try #require(HTTPField.Name("X\(number)" + String(suffix)))
            fields.append(HTTPField(name: name, value: try #require(values.randomElement(using: &random))))
            // The same name again, in another case.
            if Bool.random(using: &random), let other = HTTPField.Name(name.rawName.uppercased()) {
                fields.append(HTTPField(name: other, value: "again"))
            }
        }
        let trailers = fields
        let bytes = Pattern(version: Int(seed)).bytes(Int.random(in: 0...200_000, using: &random))
        let expected = trailers.map { "\($0.name.canonicalName): \($0.value)" }
        for version in TransportVersion.ofNIO {
            let received = Recorder<[String]>()
            try await version.run { exchange in
                let isEqual = try await exchange.body() == bytes
                received.add(exchange.trailers.map { "\($0.name): \($0.value)" })
                try await exchange.respond(text: "\(isEqual)")
            } then: { transport, server in
                // The second request finds the connection in order.
                for _ in 0..<2 {
                    let body = HTTPBody.data(bytes).withTrailers { trailers }
                    let request = TransportRequest(method: .post, url: server.url(), body: body)
                    try await expectEqual(transport.send(request).collected(), Data("true".utf8))
                }
            }
            #expect(received.values == [expected, expected])
        }
    }

    @Test("trailers over HTTP/2 are HEADERS with END_STREAM after the last DATA (RFC 9113, section 8.1)")
    func frames() async throws {
        let frames = Recorder<[String]>()
        try await HTTP2Live.run { peer in
            while let first = try await peer.frame() {
                guard first.type == RawFrame.Kind.headers else { continue }
                _ = try await peer.fields(of: first)
                var lines = ["\(first.type) \(first.flags)"]
                while lines.last != "1 5", let frame = try await peer.frame() {
                    guard frame.stream == first.stream else { continue }
                    if frame.type == RawFrame.Kind.headers { _ = try await peer.fields(of: frame) }
                    lines.append("\(frame.type) \(frame.flags)")
                }
                frames.add(lines)
                try await peer.respond(on: first.stream)
            }
        } then: { transport, server in
            for text in ["", "text"] {
                let body = HTTPBody.data(Data(text.utf8)).withTrailers { [Self.sum: "1"] }
                try await expectEqual(
                    HTTP2Live.text(transport, server.url(), method: .post, body: body),
                    "ok"
                )
            }
        }
        // HEADERS, no or one DATA, and HEADERS with END_HEADERS and END_STREAM.
        #expect(frames.values == [["1 4", "1 5"], ["1 4", "0 0", "1 5"]])
    }

    @Test("trailers that are larger than the HTTP/2 server's limit fail the request, and the connection continues")
    func tooLarge() async throws {
        let resets = Recorder<UInt32>()
        try await HTTP2Live.run(settings: [(6, 4_000)]) { peer in
            while let frame = try await peer.frame() {
                if frame.type == RawFrame.Kind.reset { resets.add(frame.number) }
                guard frame.type == RawFrame.Kind.headers else { continue }
                _ = try await peer.fields(of: frame)
                // The first request has no END_STREAM.
                if frame.flags & RawFrame.end != 0 { try await peer.respond(body: "next", on: frame.stream) }
            }
        } then: { transport, server in
            let body = HTTPBody.data(Data("text".utf8)).withTrailers {
                [Self.sum: String(repeating: "x", count: 5_000)]
            }
            // The settings of the server arrive with its first response.
            try await expectEqual(HTTP2Live.text(transport, server.url()), "next")
            let error = await #expect(throws: URLError.self) {
                try await HTTP2Live.text(transport, server.url(), method: .post, body: body)
            }
            #expect(error?.code == .dataLengthExceedsMaximum)
            #expect(error?.localizedDescription.contains("trailers") == true)
            try await expectEqual(HTTP2Live.text(transport, server.url()), "next")
            #expect(resets.values == [8])
        }
    }

    @Test("trailers wait behind data that the HTTP/2 server's window holds back")
    func window() async throws {
        let order = Recorder<String>()
        // SETTINGS_INITIAL_WINDOW_SIZE
        try await HTTP2Live.run(settings: [(4, 10)]) { peer in
            guard let first = try await peer.request() else { return }
            try await peer.respond(on: first.stream)
            guard let request = try await peer.request() else { return }
            var count = 0
            while count < 25 {
                let frame = try await peer.frame(RawFrame.Kind.data, on: request.stream)
                count += frame.payload.count
                order.add("\(frame.payload.count)")
                guard count < 25 else { break }
                try await peer.send(
                    RawFrame(RawFrame.Kind.windowUpdate, 0, request.stream, HTTP2Peer.bytes(UInt32(10)))
                )
            }
            let trailers = try await peer.fields(of: peer.frame(RawFrame.Kind.headers, on: request.stream))
            order.add(trailers.map(\.name).joined())
            try await peer.respond(on: request.stream)
        } then: { transport, server in
            // The settings of the server arrive with its first response.
            _ = try await HTTP2Live.text(transport, server.url())
            let body = HTTPBody.data(Data(count: 25)).withTrailers { [Self.sum: "1"] }
            try await expectEqual(HTTP2Live.text(transport, server.url(), method: .post, body: body), "ok")
        }
        #expect(order.values == ["10", "10", "5", "x-sum"])
    }
    #endif
}
