import Foundation

/// The latencies of the latest requests, in constant memory, for an estimate of their percentiles.
///
/// The buckets grow by the eighth root of two, from 0.1 ms to about three minutes. So an estimate is at most 9.1 % above a latency
/// of that range. A sample loses the thousandth part of its weight with each later one, so that the estimate follows the server.
struct LatencyHistogram: Equatable, Sendable {
    /// The number of buckets for each doubling of the latency.
    private static let resolution = 8.0
    /// The largest latency of the first bucket, in seconds.
    private static let smallest = 0.0001
    private static let bucketCount = 168
    /// The factor by which a sample weighs more than the previous one.
    static let growth = 1.001

    private var weights = [Double](repeating: 0, count: bucketCount)
    private var total = 0.0
    private var nextWeight = 1.0
    /// The number of samples so far.
    private(set) var count = 0

    /// Adds a latency.
    mutating func record(_ latency: Duration) {
        let bucket = Self.bucket(of: latency)
        weights[bucket] += nextWeight
        total += nextWeight
        count += 1
        nextWeight *= Self.growth
        // Long before a weight is infinite, and seldom.
        if nextWeight > 1e9 { scale(by: 1 / nextWeight) }
    }

    /// Returns the upper bound of the bucket with the latency that a share of the samples does not exceed; zero without samples.
    func percentile(_ share: Double) -> Duration {
        // From the top, because the usual percentiles are high.
        let allowed = (1 - share) * total
        var above = 0.0
        for bucket in weights.indices.reversed() {
            above += weights[bucket]
            if above > allowed { return Self.upperBound(of: bucket) }
        }
        return .zero
    }

    private mutating func scale(by factor: Double) {
        for bucket in weights.indices { weights[bucket] *= factor }
        total = weights.reduce(0, +)
        nextWeight *= factor
    }

    private static func bucket(of latency: Duration) -> Int {
        let seconds = latency / .seconds(1)
        guard seconds > smallest else { return 0 }
        return Int(min((log2(seconds / smallest) * resolution).rounded(.up), Double(bucketCount - 1)))
    }

    private static func upperBound(of bucket: Int) -> Duration {
        .seconds(smallest * exp2(Double(bucket) / resolution))
    }
}

extension LatencyHistogram: ForgettableState {
    /// Always true, because a running request needs no state.
    var isIdle: Bool { true }

    func isUnused(at now: Duration) -> Bool { count == 0 }
}
