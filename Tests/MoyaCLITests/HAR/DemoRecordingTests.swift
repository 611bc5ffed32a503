#if NIO
import Foundation
import MoyaTesting
import Testing

@testable import moya_cli

@Suite("The demo's traffic is recorded and replayed", .timeLimit(.minutes(5)))
struct DemoRecordingTests {
    /// To record it again: `MOYA_HAR=record swift test --filter DemoRecordingTests`.
    private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Fixtures/demo.har").standardizedFileURL

    /// The server's address in the recording, which replaces the real one because the port differs in each run.
    private static let baseURL = URL(string: "http://demo.example") ?? fixture

    @Test("each step of the demo gets the expected response from the recording, without a server")
    func fixture() async throws {
        let report = try await run(file: Self.fixture, mode: HARMode())
        #expect(report.isAsExpected, "\(report)")
        #expect(report.steps.count == DemoStep.all.count)
    }

    @Test("the demo's traffic is recorded from real sockets and replayed completely")
    func recordAndReplay() async throws {
        try await TemporaryFolder.use { folder in
            let file = folder.appendingPathComponent("demo.har")
            #expect(try await run(file: file, mode: .record).isAsExpected)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains(DemoData.token))
            #expect(text.contains("Bearer ***"))
            #expect(try await run(file: file, mode: .replay).isAsExpected)
        }
    }

    @Test("moya-cli har shows a recording of moya-cli demo --record")
    func command() async throws {
        try await TemporaryFolder.use { folder in
            let file = folder.appendingPathComponent("demo.har")
            // The timeouts are generous, because the machine may be busy.
            let command = try DemoCommand.parse(["--record", file.path, "--timeout", "240"])
            try await command.run(writingTo: Recording().transcript)
            let lines = Locked<[String]>([])
            try HARCommand.parse([file.path]).run(width: 120) { line in lines.withLock { $0.append(line) } }
            let text = lines.withLock { $0.joined(separator: "\n") }
            #expect(text.contains("/users/ashfurrow/repos?sort=pushed"))
            #expect(text.contains("8.0 MiB"))
        }
    }

    private func run(file: URL, mode: HARMode) async throws -> DemoReport {
        guard mode == .record else {
            let slowRequests = SlowRequests()
            let transport = try HARTransport(file: file, mode: mode) { NoNetwork() }
            return try await demo(
                transport,
                over: Replayed(base: transport, slowRequests: slowRequests),
                slowRequests
            )
        }
        return try await DemoServer.run { server in
            let transport = try HARTransport(file: file, mode: mode) {
                Relocated(base: Session().transport, to: server.baseURL)
            }
            return try await demo(transport, over: transport, server.slowRequests)
        }
    }

    private func demo(
        _ recording: HARTransport,
        over transport: any HTTPTransport,
        _ slowRequests: SlowRequests
    ) async throws -> DemoReport {
        let demo = Demo(
            server: ServerInUse(embedded: Self.baseURL, slowRequests: slowRequests),
            transcript: Recording().transcript,
            fileLength: ByteCount(16_384),
            timeout: 240,
            transport: transport
        )
        let report = await demo.run()
        try recording.finish()
        return report
    }
}

/// Reports the events of a slow request, which an embedded server would report.
private struct Replayed: HTTPTransport {
    let base: HARTransport
    let slowRequests: SlowRequests

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard request.url.path == GitHub.slow.path else { return try await base.send(request) }
        var watched = request
        watched.onConnect = {
            request.onConnect?()
            slowRequests.record(.arrived)
        }
        defer { slowRequests.record(.left) }
        return try await base.send(watched)
    }

    func shutdown() async { await base.shutdown() }
}

/// Sends each request to another server.
private struct Relocated: HTTPTransport {
    let base: any HTTPTransport
    let to: URL

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var components = try #require(URLComponents(url: request.url, resolvingAgainstBaseURL: false))
        (components.scheme, components.host, components.port) = (to.scheme, to.host, to.port)
        var request = request
        request.url = try #require(components.url)
        return try await base.send(request)
    }

    func shutdown() async { await base.shutdown() }
}
#endif
