import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A histogram estimates the percentiles of latencies")
struct LatencyHistogramTests {
    /// A distribution of latencies.
    struct Distribution: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sample: @Sendable (inout SeededGenerator) -> Duration
    }

    static let distributions: [Distribution] = [
        Distribution(testDescription: "uniform") { .microseconds(Int.random(in: 8_000...12_000, using: &$0)) },
        Distribution(testDescription: "wide") {
            .seconds(0.0005 * Double.random(in: 1...20_000, using: &$0))
        },
        Distribution(testDescription: "two groups") {
            Int.random(in: 0..<100, using: &$0) < 3 ? .seconds(1) : .milliseconds(10)
        },
        Distribution(testDescription: "constant") { _ in .milliseconds(25) },
    ]

    @Test("an estimate is at most 9.1 % above the sorted and weighted samples", arguments: distributions)
    func oracle(_ distribution: Distribution) throws {
        var generator = SeededGenerator(seed: 5)
        var histogram = LatencyHistogram()
        var samples: [Duration] = []
        for count in 1...3_000 {
            let sample = distribution.sample(&generator)
            histogram.record(sample)
            samples.append(sample)
            guard count <= 20 || count % 97 == 0 else { continue }
            for share in [0.5, 0.9, 0.95, 0.99, 0.999] {
                let exact = try #require(Self.percentile(share, of: samples))
                let estimate = histogram.percentile(share)
                #expect(estimate >= exact * 0.999_999, "\(count) \(share)")
                #expect(estimate <= exact * 1.091, "\(count) \(share)")
            }
        }
        #expect(histogram.count == 3_000)
    }

    /// Returns the smallest sample that has the share of the weight at and below it.
    private static func percentile(_ share: Double, of samples: [Duration]) -> Duration? {
        var weight = 1.0
        let weighted = samples.map { sample in
            defer { weight *= LatencyHistogram.growth }
            return (sample, weight)
        }
        let allowed = (1 - share) * weighted.reduce(0) { $0 + $1.1 }
        var above = 0.0
        for (sample, weight) in weighted.sorted(by: { $0.0 > $1.0 }) {
            above += weight
            if above > allowed { return sample }
        }
        return nil
    }

    @Test("an estimate follows a server that becomes slower, and one that becomes faster")
    func change() {
        var histogram = LatencyHistogram()
        for _ in 1...10_000 { histogram.record(.milliseconds(10)) }
        for _ in 1...40 { histogram.record(.milliseconds(100)) }
        #expect(histogram.percentile(0.95) < .milliseconds(11))
        for _ in 1...20 { histogram.record(.milliseconds(100)) }
        #expect(histogram.percentile(0.95) >= .milliseconds(100))
        for _ in 1...3_000 { histogram.record(.milliseconds(5)) }
        #expect(histogram.percentile(0.95) < .milliseconds(5.5))
    }

    @Test("a histogram takes any number of samples, of any size")
    func limits() {
        var histogram = LatencyHistogram()
        #expect(histogram.percentile(0.95) == .zero)
        #expect(histogram.isUnused(at: .zero))
        for _ in 1...100_000 { histogram.record(.milliseconds(20)) }
        #expect(histogram.percentile(0.5) >= .milliseconds(20))
        #expect(histogram.percentile(0.999) < .milliseconds(22))
        for latency in [.zero, .seconds(-5), .nanoseconds(1)] as [Duration] {
            var histogram = LatencyHistogram()
            histogram.record(latency)
            #expect(histogram.percentile(0.95) == .microseconds(100))
            #expect(!histogram.isUnused(at: .zero))
        }
        for latency in [.seconds(1_000), .seconds(Int64.max)] as [Duration] {
            var histogram = LatencyHistogram()
            histogram.record(latency)
            #expect(histogram.percentile(0.95) > .seconds(180))
        }
    }
}
