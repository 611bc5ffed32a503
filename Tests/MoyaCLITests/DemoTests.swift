#if AsyncHTTPClient
    import Testing

    @testable import moya_cli

    @Suite("The demo", .timeLimit(.minutes(1)))
    struct DemoTests {
        @Test("every step gets the expected answer from the embedded server")
        func allIsExpected() async throws {
            let (report, text) = try await run()
            #expect(report.steps.map(\.title) == DemoStep.all.map(\.title))
            #expect(report.steps.map(\.number) == Array(1...DemoStep.all.count))
            #expect(report.isAsExpected, "\(text)")
        }

        @Test(
            "the transcript shows what was sent and what came back",
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
                "← no answer",
                "URLError.cancelled, and the server saw the client go",
                "✓ 12 of 12 answers as expected",
            ]
        )
        func transcriptShows(_ part: String) async throws {
            #expect(try await run().text.contains(part))
        }

        @Test("the token is never shown")
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
        ]

        @Test(
            "a wrong answer is a failure of the steps that get it, and of the run",
            arguments: DemoFault.allCases
        )
        func faultIsFound(_ fault: DemoFault) async throws {
            let steps = try #require(Self.stepsByFault[fault])
            let (report, text) = try await run(faults: [fault])
            #expect(!report.isAsExpected)
            #expect(report.steps.filter { !$0.isAsExpected }.map(\.number) == steps)
            #expect(report.steps.count == DemoStep.all.count)
            let names = steps.map(String.init).joined(separator: ", ")
            #expect(text.contains("✗ \(12 - steps.count) of 12 answers as expected, not so: \(names)"))
        }

        @Test("several runs at once don't get in each other's way")
        func concurrentRuns() async throws {
            try await withThrowingTaskGroup(of: DemoReport.self) { group in
                for _ in 0..<8 { group.addTask { try await run().report } }
                for try await report in group { #expect(report.isAsExpected) }
            }
        }

        private func run(faults: Set<DemoFault> = []) async throws -> (report: DemoReport, text: String) {
            let recording = Recording()
            let report = try await DemoServer.run(faults: faults) { server in
                await Demo(server: ServerInUse(embedded: server), transcript: recording.transcript).run()
            }
            return (report, await recording.text())
        }
    }
#endif
