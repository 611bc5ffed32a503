import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A download is resumed over a new connection", .timeLimit(.minutes(5)))
struct SessionResumptionTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let length = 300_000

    private func download(
        from server: DownloadServer,
        on transport: any HTTPTransport,
        progress: ProgressHandler? = nil,
        record: RequestRecord = RequestRecord(),
        accepting accepts: @escaping @Sendable (Int) -> Bool = { _ in true }
    ) async throws -> SessionResponse {
        let file = folder.file("a")
        return try await Session(transport: transport).download(
            URLRequest(url: server.url()),
            to: { _, _ in (file, .resumesWhenInterrupted) },
            record: record,
            settings: RequestSettings(isAccepted: accepts),
            progress: progress
        )
    }

    private func expectFile(version: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let content = try Data(contentsOf: folder.file("a"))
        #expect(content == Pattern(version: version).bytes(Self.length), sourceLocation: sourceLocation)
        try expectNames(["a"], sourceLocation: sourceLocation)
    }

    /// A server's behavior and the expected requests.
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var version = 0
        /// The offset of each request except the first; `nil` for the whole file.
        var ranges: [Int?]
        var change: @Sendable (inout DownloadServer.Settings) -> Void
    }

    static let rows: [Row] = [
        Row(testDescription: "once", ranges: [100_000]) { $0.breaksOffAfter = [100_000] },
        Row(testDescription: "several times", ranges: [1, 100_001, 200_000, 299_999]) {
            $0.breaksOffAfter = [1, 100_000, 99_999, 99_999]
        },
        Row(testDescription: "with a date", ranges: [100_000, 150_000]) {
            $0.validator = .date
            $0.breaksOffAfter = [100_000, 50_000]
        },
        Row(testDescription: "without a length", ranges: [100_000]) {
            $0.declaresLength = false
            $0.breaksOffAfter = [100_000]
        },
        Row(testDescription: "the file has changed", version: 1, ranges: [100_000]) {
            $0.breaksOffAfter = [100_000]
            $0.changesAt = 1
        },
        Row(testDescription: "the file changes twice as often as it breaks off", version: 1, ranges: [100_000, 50_000])
        {
            $0.breaksOffAfter = [100_000, 50_000]
            $0.changesAt = 1
        },
        Row(testDescription: "ranges are ignored", ranges: [100_000]) {
            $0.breaksOffAfter = [100_000]
            $0.ranges = .ignored
        },
        Row(testDescription: "ranges are refused", ranges: [100_000, nil]) {
            $0.breaksOffAfter = [100_000]
            $0.ranges = .refused
        },
        Row(testDescription: "a range is another one", ranges: [100_000, nil]) {
            $0.breaksOffAfter = [100_000]
            $0.ranges = .displaced
        },
        Row(testDescription: "a range is of another version", ranges: [100_000, nil]) {
            $0.breaksOffAfter = [100_000]
            $0.ranges = .ofAnotherVersion
        },
        Row(testDescription: "ranges come in parts", ranges: [100_000, 170_000, 240_000]) {
            $0.breaksOffAfter = [100_000]
            $0.ranges = .limited(70_000)
        },
        Row(testDescription: "only the parts tell the length", ranges: [100_000, 170_000, 240_000]) {
            $0.declaresLength = false
            $0.breaksOffAfter = [100_000]
            $0.ranges = .limited(70_000)
        },
    ]

    @Test(
        "a resumed download has the correct bytes for every kind of interruption",
        arguments: rows,
        TransportKind.allCases
    )
    func continued(_ row: Row, kind: TransportKind) async throws {
        let server = try await DownloadServer(.init(length: Self.length, row.change))
        try await kind.withTransport { transport in
            let log = ProgressLog()
            let response = try await download(from: server, on: transport, progress: log.handler)
            #expect(response.statusCode == 200)
            try expectFile(version: row.version)
            let heads = await server.heads
            #expect(heads.first?["range"] == nil)
            #expect(heads.dropFirst().map { $0["range"] } == row.ranges.map { $0.map { "bytes=\($0)-" } })
            for head in heads where head["range"] != nil {
                #expect(head["if-range"] != nil)
                #expect(head["accept-encoding"] == "identity")
            }
            let counts = log.entries.map(\.completed)
            // Also if the download starts over.
            #expect(counts == counts.sorted() && Set(counts).count == counts.count, "\(counts)")
            #expect(counts.last == Int64(Self.length))
        }
        await server.shutDown()
    }

    @Test("the request that resumes a download contains a condition", arguments: TransportKind.allCases)
    func condition(kind: TransportKind) async throws {
        let server = try await DownloadServer(.init(length: Self.length) { $0.breaksOffAfter = [100_000] })
        try await kind.withTransport { transport in
            _ = try await download(from: server, on: transport)
            #expect(await server.heads.last?["if-range"] == "\"v0\"")
        }
        await server.shutDown()
    }

    @Test(
        "a download is resumed only if the response has a validator",
        arguments: [DownloadServer.Settings.Validator.weakTag, .recentDate, .none],
        TransportKind.allCases
    )
    func noValidator(_ validator: DownloadServer.Settings.Validator, kind: TransportKind) async throws {
        let server = try await DownloadServer(
            .init(length: Self.length) {
                $0.validator = validator
                $0.breaksOffAfter = [100_000]
            }
        )
        try await kind.withTransport { transport in
            let failure = await #expect(throws: URLError.self) {
                try await download(from: server, on: transport)
            }
            #expect(failure?.code == .networkConnectionLost)
            #expect(await server.heads.count == 1)
            try expectNames([])
        }
        await server.shutDown()
    }

    @Test("a download is resumed a bounded number of times", arguments: [0, 1, 1_000], TransportKind.allCases)
    func forEver(bytes: Int, kind: TransportKind) async throws {
        let server = try await DownloadServer(.init(length: Self.length) { $0.alwaysBreaksOffAfter = bytes })
        try await kind.withTransport { transport in
            let failure = await #expect(throws: URLError.self) {
                try await download(from: server, on: transport)
            }
            #expect(failure?.code == .networkConnectionLost)
            #expect(await server.heads.count <= 7)
        }
        await server.shutDown()
    }

    @Test(
        "a download restarts a bounded number of times if each response is another version of the file",
        arguments: TransportKind.allCases
    )
    func changesForever(kind: TransportKind) async throws {
        let server = try await DownloadServer(
            .init(length: Self.length) {
                $0.changesEachTime = true
                $0.alwaysBreaksOffAfter = 100_000
            }
        )
        let clock = WaitClock()
        let file = folder.file("a")
        try await kind.withTransport { transport in
            let session = Session(transport: transport, options: SessionOptions(clock: clock))
            let failure = await #expect(throws: URLError.self) {
                try await session.download(
                    URLRequest(url: server.url()),
                    to: { _, _ in (file, .resumesWhenInterrupted) }
                )
            }
            #expect(failure?.code == .networkConnectionLost)
            #expect(failure?.localizedDescription.contains("another version") == true)
            #expect(await server.heads.count == 6)
            #expect(clock.waits == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)])
        }
        await server.shutDown()
    }

    @Test("the wait before a download's resumption can be cancelled")
    func cancelledWait() async throws {
        let server = try await DownloadServer(
            .init(length: Self.length) {
                $0.changesEachTime = true
                $0.alwaysBreaksOffAfter = 100_000
            }
        )
        let file = folder.file("a")
        let kind = try #require(TransportKind.allCases.first)
        try await kind.withTransport { transport in
            let clock = WaitClock(isEndless: true)
            let session = Session(transport: transport, options: SessionOptions(clock: clock))
            let url = server.url()
            let task = Task {
                try await session.download(URLRequest(url: url), to: { _, _ in (file, .resumesWhenInterrupted) })
            }
            await clock.began.wait()
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(await server.heads.count == 2)
        }
        await server.shutDown()
    }

    @Test("a later request of another session resumes a download", arguments: TransportKind.allCases)
    func later(kind: TransportKind) async throws {
        // The second response brings no byte, so the first download gives up.
        let server = try await DownloadServer(.init(length: Self.length) { $0.breaksOffAfter = [100_000, 0] })
        try await kind.withTransport { transport in
            let failure = await #expect(throws: URLError.self) {
                try await download(from: server, on: transport)
            }
            #expect(failure?.code == .networkConnectionLost)
            try expectNames([".a.part", ".a.part.json"])
        }
        try await kind.withTransport { transport in
            let log = ProgressLog()
            _ = try await download(from: server, on: transport, progress: log.handler)
            try expectFile()
            // The first response shows whether the file is unchanged, and is released before the second.
            #expect(await server.heads.map { $0["range"] } == [nil, "bytes=100000-", nil, "bytes=100000-"])
            #expect(log.entries.first.map { $0.completed > 100_000 } == true)
        }
        await server.shutDown()
    }

    @Test("a later request for a download starts over if the file has changed", arguments: TransportKind.allCases)
    func laterChanged(kind: TransportKind) async throws {
        let server = try await DownloadServer(
            .init(length: Self.length) {
                $0.breaksOffAfter = [100_000, 0]
                $0.changesAt = 2
            }
        )
        try await kind.withTransport { transport in
            await #expect(throws: URLError.self) { try await download(from: server, on: transport) }
            _ = try await download(from: server, on: transport)
            try expectFile(version: 1)
            #expect(await server.heads.map { $0["range"] } == [nil, "bytes=100000-", nil])
        }
        await server.shutDown()
    }

    @Test("an error response to a range request keeps the part of the download", arguments: TransportKind.allCases)
    func unavailable(kind: TransportKind) async throws {
        let server = try await DownloadServer(
            .init(length: Self.length) {
                $0.breaksOffAfter = [100_000]
                $0.ranges = .unavailable
            }
        )
        try await kind.withTransport { transport in
            let response = try await download(from: server, on: transport, accepting: { (200..<300).contains($0) })
            #expect(response.statusCode == 503)
            try expectNames([".a.part", ".a.part.json"])
            let record = RequestRecord()
            let failure = await #expect(throws: URLError.self) {
                try await download(from: server, on: transport, record: record)
            }
            #expect(failure?.code == .badServerResponse)
            #expect(record.failedResponse?.statusCode == 503)
            try expectNames([".a.part", ".a.part.json"])
        }
        await server.shutDown()
    }

    /// Expects the files of the folder, without waiting, because a completed download has released its files.
    private func expectNames(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let names = try folder.names
        #expect(names == expected, sourceLocation: sourceLocation)
    }
}
