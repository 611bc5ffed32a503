import Testing

@testable import MoyaHTTP

@Suite("The delay of a hedge is fixed, or a percentile of the latencies")
struct HedgingDelayTests {
    private static func latencies(_ milliseconds: [Int]) -> LatencyHistogram {
        var latencies = LatencyHistogram()
        for latency in milliseconds { latencies.record(.milliseconds(latency)) }
        return latencies
    }

    @Test("a fixed delay needs no latencies, and is not negative")
    func fixed() {
        #expect(HedgingDelay.fixed(.milliseconds(200)).value(after: nil) == .milliseconds(200))
        #expect(HedgingDelay.fixed(.seconds(-1)).value(after: nil) == .zero)
        #expect(HedgingDelay.fixed(.seconds(Int64.max)).value(after: nil) == .longestTimeout)
    }

    @Test("a percentile needs a number of samples, and has a lower bound")
    func percentile() {
        let delay = HedgingDelay.percentile(0.9, atLeast: .milliseconds(20), minimumSamples: 10)
        #expect(delay.value(after: nil) == nil)
        #expect(delay.value(after: Self.latencies(Array(repeating: 100, count: 9))) == nil)
        let slow = delay.value(after: Self.latencies(Array(repeating: 100, count: 10)))
        #expect(slow == Self.latencies([100]).percentile(0.9))
        #expect(delay.value(after: Self.latencies(Array(repeating: 5, count: 10))) == .milliseconds(20))
    }

    @Test(
        "a share outside of its bounds counts as the bound",
        arguments: [(-1, 0.5), (0.2, 0.5), (.nan, 0.5), (1, 0.999), (.infinity, 0.999)] as [(Double, Double)]
    )
    func shares(given: Double, used: Double) {
        #expect(HedgingDelay.percentile(given) == .percentile(used))
    }
}
