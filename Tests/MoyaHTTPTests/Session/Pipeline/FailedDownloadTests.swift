import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A failed download leaves no file", .timeLimit(.minutes(5)))
struct FailedDownloadTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func to(_ url: URL, _ options: DownloadRequest.Options = []) -> DownloadRequest.Destination {
        { _, _ in (url, options) }
    }

    /// Invalid destinations of a download.
    struct Obstacle: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var place: @Sendable (TemporaryFolder) throws -> URL
        var error: @Sendable (URL) -> DownloadError
    }

    static let obstacles: [Obstacle] = [
        Obstacle(
            testDescription: "there is a file",
            place: {
                try $0.write("old", to: "old")
                return $0.file("old")
            },
            error: { .fileExists($0) }
        ),
        Obstacle(
            testDescription: "no folder",
            place: { $0.url.appending(path: "no/a") },
            error: { .folderMissing($0) }
        ),
        Obstacle(
            testDescription: "a file in place of the folder",
            place: {
                try $0.write("old", to: "old")
                return $0.url.appending(path: "old/a")
            },
            error: { .folderMissing($0) }
        ),
        Obstacle(testDescription: "a folder", place: { $0.url }, error: { .destinationIsFolder($0) }),
        Obstacle(
            testDescription: "no file URL",
            place: { _ in try #require(URL(string: "https://example.com/a")) },
            error: { .invalidDestination($0) }
        ),
        Obstacle(
            testDescription: "a folder that may not be written to",
            place: { folder in
                // No user can write to this folder, not even root.
                guard geteuid() != 0 else { return URL(fileURLWithPath: "/sys/kernel/moya") }
                let inner = folder.url.appending(path: "inner", directoryHint: .isDirectory)
                try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
                try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: inner.path)
                return inner.appending(path: "a")
            },
            error: { .notWritable($0) }
        ),
    ]

    @Test(
        "an obstacle at the destination fails the download with the response in the error and closes the connection",
        arguments: obstacles,
        TransportKind.allCases
    )
    func obstacle(_ obstacle: Obstacle, kind: TransportKind) async throws {
        let place = try obstacle.place(folder)
        let before = try folder.names
        let server = try await StubServer(["/a": StubServer.Response(framing: .declared(1 << 40))])
        try await kind.withTransport { transport in
            let session = Session(transport: transport)
            let request = URLRequest(url: server.url("/a"))
            let record = RequestRecord()
            await #expect(throws: obstacle.error(place)) {
                try await session.download(request, to: to(place), record: record)
            }
            #expect(record.failedResponse?.statusCode == 200)
            let sent = await server.first { if case .closed(let sent) = $0 { sent } else { nil } }
            #expect(sent == 0)
            await #expect(throws: obstacle.error(place)) { try await session.download(request, to: to(place)) }
            try expectNames(before)
        }
        await server.shutDown()
    }

    @Test(
        "a download with a status that is not accepted creates no file, and its body is collected",
        arguments: TransportKind.allCases
    )
    func notAccepted(kind: TransportKind) async throws {
        let server = try await StubServer([
            "/a": StubServer.Response(status: "403 Forbidden", body: Data("why".utf8), framing: .chunks)
        ])
        try await kind.withTransport { transport in
            let wasAsked = Locked(false)
            let response = try await Session(transport: transport).download(
                URLRequest(url: server.url("/a")),
                to: { url, _ in
                    wasAsked.withLock { $0 = true }
                    return (url, [])
                },
                record: RequestRecord(),
                settings: RequestSettings(isAccepted: { (200..<300).contains($0) })
            )
            #expect(response.statusCode == 403)
            #expect(response.data == Data("why".utf8))
            #expect(!wasAsked.withLock { $0 })
        }
        await server.shutDown()
    }

    @Test("a lost connection of a download leaves no file", arguments: TransportKind.allCases)
    func brokenOff(kind: TransportKind) async throws {
        let server = try await DownloadServer(.init(length: 300_000) { $0.alwaysBreaksOffAfter = 100_000 })
        try await kind.withTransport { transport in
            let record = RequestRecord()
            let failure = await #expect(throws: URLError.self) {
                try await Session(transport: transport).download(
                    URLRequest(url: server.url()),
                    to: to(folder.file("a")),
                    record: record
                )
            }
            #expect(failure?.code == .networkConnectionLost)
            #expect(record.failedResponse?.statusCode == 200)
            try expectNames([])
            #expect(await server.heads.count == 1)
        }
        await server.shutDown()
    }

    @Test("a cancelled download leaves no file, or a part that can be resumed", arguments: TransportKind.allCases)
    func cancel(kind: TransportKind) async throws {
        let rows: [(DownloadRequest.Options, [String])] = [
            ([], []), (.resumesWhenInterrupted, [".a.part", ".a.part.json"]),
        ]
        for (options, left) in rows {
            let server = try await StubServer([
                "/a": StubServer.Response(
                    headers: ["ETag: \"v\""],
                    body: Pattern().bytes(200_000),
                    framing: .declared(1 << 40)
                )
            ])
            try await kind.withTransport { transport in
                let (parts, partsEnd) = AsyncStream<Int64>.makeStream()
                let task = Task {
                    // Ends the test's wait if the request ends before it begins.
                    defer { partsEnd.finish() }
                    return try await Session(transport: transport).download(
                        URLRequest(url: server.url("/a")),
                        to: to(folder.file("a"), options)
                    ) { partsEnd.yield($0.completedUnitCount) }
                }
                for await count in parts where count > 0 { break }
                task.cancel()
                let error = await #expect(throws: URLError.self) { try await task.value }
                #expect(error?.code == .cancelled)
                try expectNames(left)
                let wasClosed = await server.first { if case .closed = $0 { true } else { nil } }
                #expect(wasClosed == true)
            }
            await server.shutDown()
        }
    }

    /// Expects the files of the folder, without waiting, because a completed download has released its files.
    private func expectNames(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let names = try folder.names
        #expect(names == expected, sourceLocation: sourceLocation)
    }
}
