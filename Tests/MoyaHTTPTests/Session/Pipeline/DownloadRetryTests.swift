import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A retry continues an interrupted download", .timeLimit(.minutes(5)))
struct DownloadRetryTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let length = 300_000

    private func download(
        from server: DownloadServer,
        _ transport: any HTTPTransport,
        tries: Int,
        _ options: DownloadRequest.Options = [],
        asked: TestLog = TestLog(),
        progress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        let session = Session(transport: transport, interceptor: TestInterceptor.repeating(tries - 1))
        let place = folder.file("a")
        return try await session.download(
            URLRequest(url: server.url()),
            to: { _, _ in
                asked.note("asked")
                return (place, options)
            },
            record: RequestRecord(),
            progress: progress
        )
    }

    private func expectFile(version: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let content = try Data(contentsOf: folder.file("a"))
        #expect(content == Pattern(version: version).bytes(Self.length), sourceLocation: sourceLocation)
        try expectNames(["a"], sourceLocation: sourceLocation)
    }

    private func expectNames(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let names = try folder.names
        #expect(names == expected, sourceLocation: sourceLocation)
    }

    @Test(
        "a retry of a download requests the missing range if the file is unchanged",
        arguments: TransportKind.allCases
    )
    func goesOn(kind: TransportKind) async throws {
        // The second attempt learns from its response that the file is unchanged, and requests the rest.
        let server = try await DownloadServer(
            .init(length: Self.length) { $0.breaksOffAfter = [100_000, Self.length, 100_000] }
        )
        try await kind.withTransport { transport in
            let asked = TestLog()
            let log = ProgressLog()
            let response = try await download(
                from: server,
                transport,
                tries: 3,
                asked: asked,
                progress: log.handler
            )
            #expect(response.statusCode == 200)
            try expectFile()
            let rests = await server.heads.filter { $0["range"] != nil }
            #expect(rests.map { $0["range"] } == ["bytes=100000-", "bytes=200000-"])
            #expect(rests.map { $0["if-range"] } == ["\"v0\"", "\"v0\""])
            // One file for all attempts.
            #expect(asked.lines.count == 1)
            log.expectGoodOrder(last: Int64(Self.length), total: Int64(Self.length))
        }
        await server.shutDown()
    }

    @Test(
        "a retry of the download of a small file completes it, and asks for the destination once",
        arguments: TransportKind.allCases
    )
    func small(kind: TransportKind) async throws {
        let length = 60_000
        let server = try await DownloadServer(.init(length: length) { $0.breaksOffAfter = [20_000, length] })
        try await kind.withTransport { transport in
            let asked = TestLog()
            _ = try await download(from: server, transport, tries: 2, asked: asked)
            let content = try Data(contentsOf: folder.file("a"))
            #expect(content == Pattern().bytes(length))
            try expectNames(["a"])
            #expect(asked.lines.count == 1)
        }
        await server.shutDown()
    }

    @Test("a lost connection in a small file leaves no file", arguments: TransportKind.allCases)
    func smallFailure(kind: TransportKind) async throws {
        let server = try await DownloadServer(.init(length: 60_000) { $0.alwaysBreaksOffAfter = 20_000 })
        try await kind.withTransport { transport in
            let error = await #expect(throws: URLError.self) {
                try await download(from: server, transport, tries: 2)
            }
            #expect(error?.code == .networkConnectionLost)
            try expectNames([])
        }
        await server.shutDown()
    }

    @Test("a retry of a download starts over if the file has changed", arguments: TransportKind.allCases)
    func changed(kind: TransportKind) async throws {
        let server = try await DownloadServer(
            .init(length: Self.length) {
                $0.breaksOffAfter = [100_000]
                $0.changesAt = 1
            }
        )
        try await kind.withTransport { transport in
            _ = try await download(from: server, transport, tries: 2)
            try expectFile(version: 1)
            let heads = await server.heads
            #expect(heads.map { $0["range"] } == [nil, nil])
        }
        await server.shutDown()
    }

    @Test("a retry of a download starts over if the response has no validator", arguments: TransportKind.allCases)
    func noValidator(kind: TransportKind) async throws {
        for validator in [DownloadServer.Settings.Validator.none, .weakTag] {
            let server = try await DownloadServer(
                .init(length: Self.length) {
                    $0.breaksOffAfter = [100_000]
                    $0.validator = validator
                }
            )
            try await kind.withTransport { transport in
                _ = try await download(from: server, transport, tries: 2, .removePreviousFile)
                try expectFile()
                let heads = await server.heads
                #expect(heads.map { $0["range"] } == [nil, nil])
            }
            await server.shutDown()
        }
    }

    @Test(
        "the last failed attempt of a download keeps the part only with resumesWhenInterrupted",
        arguments: TransportKind.allCases
    )
    func lastFailure(kind: TransportKind) async throws {
        let rows: [(DownloadRequest.Options, [String])] = [
            ([], []), (.resumesWhenInterrupted, [".a.part", ".a.part.json"]),
        ]
        for (options, left) in rows {
            // No further byte arrives after the first response.
            let server = try await DownloadServer(
                .init(length: Self.length) {
                    $0.breaksOffAfter = [100_000]
                    $0.alwaysBreaksOffAfter = 0
                }
            )
            try await kind.withTransport { transport in
                let failure = await #expect(throws: (any Error).self) {
                    try await download(from: server, transport, tries: 3, options)
                }
                #expect((failure as? URLError)?.code == .networkConnectionLost)
                try expectNames(left)
                guard !options.isEmpty else { return }
                // The next download resumes it.
                await server.change(.init(length: Self.length))
                let count = await server.heads.count
                _ = try await download(from: server, transport, tries: 1, options)
                let heads = await server.heads.dropFirst(count)
                #expect(heads.compactMap { $0["range"] } == ["bytes=100000-"])
                try expectFile()
            }
            await server.shutDown()
        }
    }

    @Test("an error response between the attempts of a download keeps the part", arguments: TransportKind.allCases)
    func unavailable(kind: TransportKind) async throws {
        let file = Pattern().bytes(Self.length)
        let place = folder.file("a")
        try await kind.withReactingServer({ received in
            let tag = "ETag: \"v\""
            switch received.number {
            case 0: return .part(headers: [tag], body: file.prefix(120_000), of: file.count)
            case 1: return .respond(503)
            default: break
            }
            guard let range = received.head["range"], let start = Int(range.dropFirst(6).dropLast()) else {
                return .respond(200, headers: [tag], body: file)
            }
            let content = "Content-Range: bytes \(start)-\(file.count - 1)/\(file.count)"
            return .respond(206, headers: [tag, content], body: file.dropFirst(start))
        }) { transport, server in
            let session = Session(transport: transport, interceptor: TestInterceptor.repeating(2))
            let response = try await session.download(server.request(), to: { _, _ in (place, []) })
            #expect(response.statusCode == 200)
            try expectFile()
            #expect(server.values(of: "range") == [nil, nil, nil, "bytes=120000-"])
            #expect(server.values(of: "if-range") == [nil, nil, nil, "\"v\""])
        }
    }
}
