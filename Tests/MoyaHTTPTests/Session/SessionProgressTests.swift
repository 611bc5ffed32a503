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
