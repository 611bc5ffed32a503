#if NIO
import Foundation
import Moya
import Testing

@testable import moya_cli

@Suite("The demo runs its steps and reports them", .timeLimit(.minutes(5)))
struct DemoTests {
    @Test("every step of the demo gets the expected response from the embedded server")
    func allIsExpected() async throws {
        let (report, text) = try await run()
        #expect(report.steps.map(\.title) == DemoStep.all.map(\.title))
        #expect(report.steps.map(\.number) == Array(1...DemoStep.all.count))
        #expect(report.isAsExpected, "\(text)")
    }

    @Test(
        "the demo shows sent requests and responses in its transcript",
        arguments: [
            "→ GET /zen",
            "← 200 OK  43 bytes",
            #"= "Half measures are as bad as nothing at all.""#,
            "→ GET /users/ashfurrow\n",
            "→ GET /users/ashfurrow/repos?sort=pushed",
            #"= "Moya" (2025-06-15), "Aerodramus" (2022-04-15), "Eidolon" (2019-02-12)"#,
            "→ GET /repos/Moya/branches?protected=true",
            #"= ["master", "release"]"#,
            "→ POST /repos/Moya/Moya/issues",
            "Content-Type: application/json",
            #""title":"It works""#,
            "← 201 Created",
            "Location: /repos/Moya/Moya/issues/42",
            "→ GET /user\n      Accept: application/json\n      Authorization: Bearer ***\n    ← 200 OK",
            "→ GET /user\n      Accept: application/json\n    ← 401 Unauthorized",
            #"WWW-Authenticate: Bearer realm="moya-cli""#,
            "← 500 Internal Server Error",
            #"The body says "Out of order.""#,
            "a stub, nothing was sent",
            "→ GET /users/mxcl",
            "→ GET /users/kylef",
            "→ GET /slow",
            "← no response",
            "URLError.cancelled, and the server noticed the disconnect",
            "= network, cache, revalidated",
            "from the cache, confirmed by a 304",
            "= 4480 bytes of text from 110 bytes, gzip",
            #"= ["build 42 started", "compiled 312 files", "3 tests: naïve, 日本語, 🙂", "", "build 42 succeeded"]"#,
            "Last-Event-Id: 3\n    ← 200 OK",
            "Last-Event-Id: 5\n    ← 204 No Content",
            #"= ["1: aurora", "2: borealis", "3: corona", "4: dawn", "5: equinox"]"#,
            "→ POST /bytes\n      Accept: application/json\n      Content-Type: multipart/form-data; boundary=",
            "    … 100 %  8.0 of 8.0 MiB\n",
            "8388608 of them the file's",
            "→ GET /bytes/8388608",
            "= 8388608 bytes are in the file, the first 8388608 as they should be",
            "✓ 18 of 18 steps as expected",
        ]
    )
    func transcriptShows(_ part: String) async throws {
        let text = try await run().text
        // A long line is wrapped.
        #expect(text.contains(part) || text.replacing("\n      ", with: " ").contains(part))
    }

    @Test("the demo never shows the token")
    func tokenIsMasked() async throws {
        let text = try await run().text
        #expect(!text.contains(DemoData.token))
        #expect(text.components(separatedBy: "Bearer ***").count == 2)
    }

    private static let stepsByFault: [DemoFault: [Int]] = [
        .otherZen: [1, 10],
        .brokenUsers: [2, 10, 11],
        .unsortedRepositories: [3],
        .openUser: [7],
        .soundBroken: [8],
        .uncacheableEmojis: [13],
        .plainReadme: [14],
        .shortLog: [15],
        .lostEvents: [16],
        .damagedBytes: [17, 18],
    ]

    @Test(
        "a wrong response fails its steps of the demo and the whole run",
        arguments: DemoFault.allCases
    )
    func faultIsFound(_ fault: DemoFault) async throws {
        let steps = try #require(Self.stepsByFault[fault])
        let (report, text) = try await run(faults: [fault])
        #expect(!report.isAsExpected)
        #expect(report.steps.filter { !$0.isAsExpected }.map(\.number) == steps)
        #expect(report.steps.count == DemoStep.all.count)
        let names = steps.map(String.init).joined(separator: ", ")
        #expect(text.contains("✗ \(18 - steps.count) of 18 steps as expected, failed: \(names)"))
    }

    @Test("the demo prints a few progress lines for each transfer, and no control characters")
    func progressLines() async throws {
        let text = try await run().text
        let lines = text.components(separatedBy: "\n").filter { $0.hasPrefix("    … ") }
        #expect((2...10).contains(lines.count), "\(lines)")
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
        for line in text.components(separatedBy: "\n") { #expect(TerminalText(line).width <= 80, "\(line)") }
    }

    @Test("the demo shows a progress bar on a terminal and removes it at the end")
    func progressBar() async throws {
        let sent = Locked("")
        let terminal = Terminal(columns: { 80 }) { text in sent.withLock { $0 += text } }
        let report = try await DemoServer.run { server in
            let transcript = Transcript(style: .plain, terminal: terminal)
            return await Demo(server: ServerInUse(embedded: server), transcript: transcript, timeout: 240).run()
        }
        #expect(report.isAsExpected)
        let text = sent.withLock { $0 }
        #expect(text.contains("\r    [########################################] 100 %  8.0 of 8.0 MiB\u{1B}[K"))
        #expect(!text.contains("…   "))
        let lines = text.components(separatedBy: "\n")
        for line in lines where line.contains("\r") {
            #expect(line.components(separatedBy: "\r").last?.contains("[#") == false, "\(line.debugDescription)")
        }
    }

    @Test("the demo runs several times concurrently")
    func concurrentRuns() async throws {
        try await withThrowingTaskGroup(of: DemoReport.self) { group in
            for _ in 0..<8 { group.addTask { try await run().report } }
            for try await report in group { #expect(report.isAsExpected) }
        }
    }

    private func run(faults: Set<DemoFault> = []) async throws -> (report: DemoReport, text: String) {
        let recording = Recording()
        let report = try await DemoServer.run(faults: faults) { server in
            await Demo(server: ServerInUse(embedded: server), transcript: recording.transcript, timeout: 240).run()
        }
        return (report, await recording.text())
    }
}
#endif
