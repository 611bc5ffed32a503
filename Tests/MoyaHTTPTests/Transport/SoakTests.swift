#if NIO && !canImport(Darwin)
import Testing
import TransportChecks

/// Sends a few of the requests of which `scripts/check/soak` sends a million.
@Suite(.serialized)
struct SoakTests {
    @Test(
        "each request to a misbehaving server ends once, and no POST is received twice",
        arguments: [false, true]
    )
    func misbehavingServer(isHTTP2: Bool) async throws {
        var run = SoakRun(isHTTP2: isHTTP2, requests: 600)
        // Other tests in this process need the same threads.
        run.comparesFigures = false
        run.concurrency = 16
        let report = try await run.run()
        #expect(report.failures == [], "\(report.summary)")
    }
}
#endif
