import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Progress is reported over a real connection", .timeLimit(.minutes(5)))
struct SessionProgressTests {
    private static let length = 10_000_000

    @Test("progress of a download of declared length never decreases", arguments: TransportKind.allCases)
    func declared(kind: TransportKind) async throws {
        let entries = try await download(.length, kind)
        entries.expectGoodOrder(last: Int64(Self.length), total: Int64(Self.length))
    }

    @Test("progress of a download of undeclared length never decreases", arguments: TransportKind.allCases)
    func undeclared(kind: TransportKind) async throws {
        for framing: StubServer.Response.Framing in [.chunks, .close] {
            let entries = try await download(framing, kind)
            entries.expectGoodOrder(last: Int64(Self.length), total: -1)
        }
    }

    @Test("progress of an encoded download counts decoded bytes and has no total", arguments: TransportKind.allCases)
    func coded(kind: TransportKind) async throws {
        let body = try GzipEncoder.encode(Pattern().bytes(Self.length))
        let entries = try await download(.length, kind, headers: ["Content-Encoding: gzip"], body: body)
        entries.expectGoodOrder(last: Int64(Self.length), total: -1)
    }

    @Test("progress of an upload never decreases", arguments: TransportKind.allCases)
    func upload(kind: TransportKind) async throws {
        let file = try TemporaryFile()
        try file.truncate(at: UInt64(Self.length))
        let pieces = Data(count: Self.length).chunks(of: 1_000)
        var rows: [(HTTPBody, Int)] = [
            (.data(Data(count: Self.length)), Self.length),
            (.file(file.url), Self.length),
            (.stream(StubStream(chunks: pieces), length: Int64(Self.length)), Self.length),
            (.stream(StubStream(chunks: pieces)), -1),
            (.file(file.url).gzipped(), Self.length),
        ]
        if kind.sendsSequences {
            rows.append((.sequence(elements(pieces), length: Int64(Self.length)), Self.length))
            rows.append((.sequence(elements(pieces)), -1))
        }
        let server = try await UploadServer()
        try await kind.withTransport { transport in
            for (body, total) in rows {
                let log = ProgressLog()
                var request = URLRequest(url: server.url("/sink"))
                request.httpMethod = "POST"
                _ = try await Session(transport: transport)
                    .data(for: request, body: body, uploadProgress: log.handler)
                log.expectGoodOrder(last: Int64(Self.length), total: Int64(total))
            }
        }
        await server.shutDown()
    }

    @Test("progress of a failed upload never reaches the end", arguments: TransportKind.allCases)
    func failed(kind: TransportKind) async throws {
        let server = try await UploadServer()
        try await kind.withTransport { transport in
            let log = ProgressLog()
            var request = URLRequest(url: server.url("/sink"))
            request.httpMethod = "POST"
            await #expect(throws: RequestBodyError.self) {
                try await Session(transport: transport).data(
                    for: request,
                    body: .stream(StubStream(chunks: [Data(count: 300_000)]), length: 400_000),
                    uploadProgress: log.handler
                )
            }
            #expect(log.entries.allSatisfy { $0.completed <= 300_000 && $0.total == 400_000 })
        }
        await server.shutDown()
    }

    @Test("the bytes that a transport has read last are reported, although the upload fails")
    func lastOfFailed() async throws {
        let session = Session.alone(
            on: StubTransport { request in
                let reader = try request.body?.open()
                for _ in 0..<2 { _ = try await reader?.next() }
                throw URLError(.networkConnectionLost)
            }
        )
        let log = ProgressLog()
        var request = URLRequest.some("http://a.example/a")
        request.httpMethod = "POST"
        // The second piece is less than a hundredth of the body.
        let pieces = [100_000, 1_000, 899_000].map { Data(count: $0) }
        await #expect(throws: URLError.self) {
            try await session.data(
                for: request,
                body: .sequence(elements(pieces), length: 1_000_000),
                uploadProgress: log.handler
            )
        }
        #expect(log.entries.last == ProgressLog.Entry(completed: 101_000, total: 1_000_000))
    }

    @Test(
        "no upload progress follows the end of a request whose body a transport still reads",
        arguments: [false, true]
    )
    func end(isStreamed: Bool) async throws {
        let reader = Locked<HTTPBody.Reader?>(nil)
        let session = Session.alone(
            on: StubTransport { request in
                let opened = try request.body?.open()
                _ = try await opened?.next()
                reader.withLock { $0 = opened }
                throw URLError(.networkConnectionLost)
            }
        )
        let log = ProgressLog()
        var request = URLRequest.some("http://a.example/a")
        request.httpMethod = "POST"
        let body = HTTPBody.data(Data(count: 1_000_000))
        await #expect(throws: URLError.self) {
            if isStreamed {
                _ = try await session.stream(for: request, body: body, uploadProgress: log.handler)
            } else {
                _ = try await session.data(for: request, body: body, uploadProgress: log.handler)
            }
        }
        let entries = log.entries
        #expect(entries.count == 1)
        let opened = try #require(reader.withLock { $0 })
        while try await opened.next() != nil {}
        #expect(log.entries == entries)
    }

    #if NIO && !canImport(Darwin)
    @Test("an upload of a short body with a progress handler leaves its connection reusable after a 503")
    func reuse() async throws {
        let server = try await ReactingServer { $0.number == 0 ? .respond(503) : .respond(200) }
        let transport = NIOTransport()
        let session = Session(transport: transport, interceptor: TestInterceptor.repeating(1))
        let log = ProgressLog()
        let response = try await session.data(
            for: server.request(method: "POST"),
            body: .data(Data("text".utf8)),
            uploadProgress: log.handler
        )
        #expect(response.statusCode == 200)
        #expect(server.requests.map(\.text) == ["text", "text"])
        #expect(server.requests.map(\.place) == [0, 1])
        #expect(log.entries == [ProgressLog.Entry(completed: 4, total: 4)])
        await transport.shutdown()
        await server.shutDown()
    }
    #endif

    /// Returns the progress that is reported for one download; fails the test for reports after its end.
    private func download(
        _ framing: StubServer.Response.Framing,
        _ kind: TransportKind,
        headers: [String] = [],
        body: Data = Data(count: length)
    ) async throws -> ProgressLog {
        let server = try await StubServer([
            "/a": StubServer.Response(headers: headers, body: body, framing: framing)
        ])
        let log = ProgressLog()
        try await kind.withTransport { transport in
            let response = try await Session(transport: transport)
                .data(for: URLRequest(url: server.url("/a")), progress: log.handler)
            let atEnd = log.entries
            #expect(response.data.count == Self.length)
            await transport.shutdown()
            #expect(log.entries == atEnd)
        }
        await server.shutDown()
        return log
    }
}
