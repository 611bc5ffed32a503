#if NIO && !canImport(Darwin)
import Testing
import TransportChecks

/// Runs a few of the cases of which `scripts/check/fuzz` runs a million.
@Suite(.serialized)
struct FuzzTests {
    @Test(
        "no response, valid or not, crashes the process, hangs or ends a request twice",
        arguments: FuzzMode.allCases
    )
    func mutatedResponses(mode: FuzzMode) async throws {
        var run = FuzzRun(mode, seed: 16, count: 120)
        // Other tests need the same threads.
        run.concurrency = 12
        let report = try await run.run()
        #expect(report.cases == 120)
        #expect(report.failures == [], "moya-cli fuzz --mode \(mode) --seed 16 --first CASE --count 1")
    }

    @Test("a fuzz case is determined by its mode, seed and number")
    func casesAreDetermined() {
        for mode in FuzzMode.allCases {
            for number in UInt64(0)..<50 {
                let one = FuzzPlanText(mode, seed: 1, number: number)
                #expect(one == FuzzPlanText(mode, seed: 1, number: number))
                #expect(one != FuzzPlanText(mode, seed: 2, number: number))
            }
        }
    }
}
#endif
