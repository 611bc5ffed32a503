import Foundation
import HTTPTypes
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A download works over a real connection", .timeLimit(.minutes(5)))
struct SessionDownloadTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func to(_ url: URL, _ options: DownloadRequest.Options = []) -> DownloadRequest.Destination {
        { _, _ in (url, options) }
    }

    @Test(
        "a download is complete at its destination and leaves no other file",
        arguments: [0, 1, 65_536, 300_000, 20 << 20],
        TransportKind.allCases
    )
    func whole(length: Int, kind: TransportKind) async throws {
        for declaresLength in [true, false] {
            let server = try await DownloadServer(.init(length: length) { $0.declaresLength = declaresLength })
            try await kind.withTransport { transport in
                let response = try await Session(transport: transport).download(
                    URLRequest(url: server.url()),
                    to: to(folder.file("a"), .removePreviousFile)
                )
                #expect(response.statusCode == 200)
                #expect(response.data.isEmpty)
                let content = try Data(contentsOf: folder.file("a"))
                #expect(content == Pattern().bytes(length))
                try expectNames(["a"])
            }
            await server.shutDown()
        }
    }

    @Test(
        "a download is complete or an error if the server sends a range that was not requested",
        arguments: [("0-9/10", true), ("4-9/10", false), ("0-9/20", false), ("0-9/*", false), (nil, false)],
        TransportKind.allCases
    )
    func unrequestedRange(_ row: (range: String?, isWhole: Bool), kind: TransportKind) async throws {
        let server = try await ReactingServer { _ in
            .respond(206, headers: row.range.map { ["Content-Range: bytes \($0)"] } ?? [], body: Pattern().bytes(10))
        }
        try await kind.withTransport { transport in
            let file = folder.file("a")
            do {
                _ = try await Session(transport: transport).download(server.request("/"), to: to(file))
                #expect(row.isWhole)
            } catch let error as URLError {
                #expect(!row.isWhole && error.code == .badServerResponse)
            }
            #expect(try folder.names == (row.isWhole ? ["a"] : []))
        }
        await server.shutDown()
    }

    @Test("a download creates missing folders with createIntermediateDirectories", arguments: TransportKind.allCases)
    func folders(kind: TransportKind) async throws {
        let server = try await DownloadServer(.init(length: 10))
        try await kind.withTransport { transport in
            let destination = folder.url.appending(path: "one/two/a")
            _ = try await Session(transport: transport).download(
                URLRequest(url: server.url()),
                to: to(destination, .createIntermediateDirectories)
            )
            let content = try Data(contentsOf: destination)
            #expect(content == Pattern().bytes(10))
        }
        await server.shutDown()
    }

    @Test("a download replaces an existing file only with removePreviousFile", arguments: TransportKind.allCases)
    func replacing(kind: TransportKind) async throws {
        try folder.write("old", to: "a")
        let server = try await DownloadServer(.init(length: 10))
        try await kind.withTransport { transport in
            let session = Session(transport: transport)
            await #expect(throws: DownloadError.fileExists(folder.file("a"))) {
                try await session.download(URLRequest(url: server.url()), to: to(folder.file("a")))
            }
            let old = try folder.text("a")
            #expect(old == "old")
            _ = try await session.download(
                URLRequest(url: server.url()),
                to: to(folder.file("a"), .removePreviousFile)
            )
            let content = try Data(contentsOf: folder.file("a"))
            #expect(content == Pattern().bytes(10))
            try expectNames(["a"])
        }
        await server.shutDown()
    }

    @Test("a download of a response without a body creates an empty file", arguments: TransportKind.allCases)
    func noBody(kind: TransportKind) async throws {
        let server = try await StubServer([
            "/empty": StubServer.Response(),
            "/none": StubServer.Response(status: "204 No Content", headers: ["X-A: b"]),
            "/head": StubServer.Response(body: Data(count: 1_000)),
        ])
        try await kind.withTransport { transport in
            for path in ["/empty", "/head"] {
                var request = URLRequest(url: server.url(path))
                if path == "/head" { request.httpMethod = "HEAD" }
                let destination = folder.file(String(path.dropFirst()))
                _ = try await Session(transport: transport).download(request, to: to(destination))
                let content = try Data(contentsOf: destination)
                #expect(content.isEmpty, "\(path)")
            }
        }
        await server.shutDown()
    }

    @Test("a download of an encoded body holds the decoded bytes", arguments: TransportKind.allCases)
    func coded(kind: TransportKind) async throws {
        let bytes = Pattern().bytes(300_000)
        let server = try await StubServer([
            "/gzip": StubServer.Response(headers: ["Content-Encoding: gzip"], body: try GzipEncoder.encode(bytes))
        ])
        try await kind.withTransport { transport in
            _ = try await Session(transport: transport).download(
                URLRequest(url: server.url("/gzip")),
                to: to(folder.file("a"), .resumesWhenInterrupted)
            )
            let content = try Data(contentsOf: folder.file("a"))
            #expect(content == bytes)
            try expectNames(["a"])
        }
        await server.shutDown()
    }

    @Test(
        "a downloaded file has the name that the server suggests and stays in the folder",
        arguments: TransportKind.allCases
    )
    func names(kind: TransportKind) async throws {
        let rows: [(disposition: String, name: String)] = [
            ("attachment; filename=\"report.pdf\"", "report.pdf"),
            ("attachment; filename=\"../../evil\"", "evil"),
            ("attachment; filename=\"/etc/passwd\"", "passwd"),
            ("attachment; filename*=UTF-8''..%2F..%2Fevil", "evil"),
            ("attachment; filename=\"..\\\\..\\\\evil.exe\"", "evil.exe"),
            ("attachment; filename=\".profile\"", "profile"),
        ]
        for (disposition, name) in rows {
            let inner = folder.url.appending(path: "inner", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
            let server = try await StubServer([
                "/x": StubServer.Response(headers: ["Content-Disposition: \(disposition)"], body: Data("a".utf8))
            ])
            try await kind.withTransport { transport in
                _ = try await Session(transport: transport).download(
                    URLRequest(url: server.url("/x")),
                    to: DownloadRequest.suggestedDownloadDestination(in: inner)
                )
                let found = try FileManager.default.contentsOfDirectory(atPath: inner.path)
                #expect(found == [name], "\(disposition)")
                try expectNames(["inner"])
            }
            try FileManager.default.removeItem(at: inner)
            await server.shutDown()
        }
    }

    @Test("the progress of a download counts the file's bytes up to the total", arguments: TransportKind.allCases)
    func progress(kind: TransportKind) async throws {
        let server = try await DownloadServer(.init(length: 5_000_000))
        try await kind.withTransport { transport in
            let seen = ProgressLog()
            _ = try await Session(transport: transport).download(
                URLRequest(url: server.url()),
                to: to(folder.file("a")),
                progress: seen.handler
            )
            seen.expectGoodOrder(last: 5_000_000, total: 5_000_000)
        }
        await server.shutDown()
    }

    /// Expects the files of the folder, without waiting, because a completed download has released its files.
    private func expectNames(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let names = try folder.names
        #expect(names == expected, sourceLocation: sourceLocation)
    }
}
