import Testing

@testable import moya_cli

@Suite("moya-cli load checks its requests and its memory")
struct LoadTests {
    #if NIO
    @Test("all requests of a small load succeed")
    func small() async throws {
        let report = try await DemoServer.run { server in
            try await Load(server: server, requests: 1_003, concurrency: 64).run()
        }
        #expect(report.requests == 1_003)
        #expect(report.succeeded == 1_003)
        #expect(report.earlyPeak > 0)
    }
    #endif

    @Test("a failed request, or growth of the memory peak by more than a tenth, fails the check of a load")
    func verdict() {
        func report(succeeded: Int = 10, peak: Int = 100) -> LoadReport {
            LoadReport(requests: 10, succeeded: succeeded, time: .seconds(1), earlyPeak: 100, peak: peak)
        }
        #expect(report().isAsExpected)
        #expect(report(peak: 110).isAsExpected)
        #expect(!report(peak: 111).isAsExpected)
        #expect(!report(succeeded: 9).isAsExpected)
        #expect(report(succeeded: 9).text.hasPrefix("9 of 10 requests succeeded, 10 a second\n"))
    }
}
