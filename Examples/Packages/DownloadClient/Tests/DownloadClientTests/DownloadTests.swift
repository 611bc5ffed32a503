import Foundation
import MoyaTesting
import Testing

@testable import download_client

struct DownloadTests {
    let transport = ScriptedTransport()
    let source = URL(string: "https://example.com/data.bin")!
    let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })

    /// Runs a test with a provider and the place of a file that is removed after the test.
    func withFile(_ body: (MoyaProvider<Download>, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let provider = MoyaProvider<Download>(session: Session(transport: transport))
        try await body(provider, folder.appendingPathComponent("data.bin"))
    }

    @Test("the progress ends with all bytes")
    func progress() async throws {
        transport.on(.get, "/data.bin", .data(content))
        try await withFile { provider, file in
            var received: [Int64] = []
            try await provider.download(source, to: file) { progress in
                if let bytes = progress.progressObject { received.append(bytes.completedUnitCount) }
            }
            #expect(received == received.sorted())
            #expect(received.last == 300_000)
            #expect(try Data(contentsOf: file) == content)
        }
    }

    @Test("an interrupted download requests the rest")
    func resumption() async throws {
        transport.on(
            .get,
            "/data.bin",
            .data(content).header("ETag", #""1""#).truncated(at: 200_000),
            .data(content[200_000...], status: 206)
                .header("ETag", #""1""#)
                .header("Content-Range", "bytes 200000-299999/300000")
        )
        try await withFile { provider, file in
            try await provider.download(source, to: file) { _ in }
            #expect(try Data(contentsOf: file) == content)
        }
        try transport.requests.expect(
            inOrder: .get().without(header: "Range"),
            .get().header("Range", "bytes=200000-").header("If-Range", #""1""#)
        )
    }

    @Test("an error leaves a previous file as it is")
    func failure() async throws {
        transport.on(.get, "/data.bin", .text("Not found", status: 404))
        try await withFile { provider, file in
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("previous".utf8).write(to: file)
            let error = await #expect(throws: MoyaError.self) { try await provider.download(source, to: file) { _ in } }
            #expect(error?.statusCode == 404)
            #expect(try Data(contentsOf: file) == Data("previous".utf8))
        }
    }

    @Test("a cancelled download fails with an error that says so")
    func cancellation() async throws {
        transport.on(.get, "/data.bin", .data(content).stall(afterBytes: 200_000))
        try await withFile { provider, file in
            let download = Task { try await provider.download(source, to: file) { _ in } }
            try await transport.log.wait(for: .get())
            download.cancel()
            let error = await #expect(throws: MoyaError.self) { try await download.value }
            #expect(error?.isCancelled == true)
        }
    }
}

struct ProgressLineTests {
    @Test("the line has the part, the bytes and the rate")
    func text() {
        #expect(
            ProgressLine.text(received: 12_600_000, total: 30_000_000, seconds: 4)
                == " 42 %  12.6 MB of 30.0 MB  3.1 MB/s"
        )
    }

    @Test("the line has no part if the size is not known")
    func unknownSize() {
        #expect(ProgressLine.text(received: 12_600_000, total: 0, seconds: 0) == "12.6 MB")
    }
}
