/// The time after which a ``Hedging`` sends a request again that has no response.
public struct HedgingDelay: Hashable, Sendable {
    private enum Rule: Hashable, Sendable {
        case fixed(Duration)
        case percentile(Double, atLeast: Duration, minimumSamples: Int)
    }

    private let rule: Rule

    /// Creates a delay that does not change.
    ///
    /// With zero, all exchanges are sent at once, as far as the budget allows it.
    public static func fixed(_ delay: Duration) -> HedgingDelay {
        HedgingDelay(rule: .fixed(min(max(delay, .zero), .longestTimeout)))
    }

    /// Creates a delay that follows the latencies of the latest requests with the same key: about a thousand of them.
    ///
    /// The rest of the share is the additional load: with 0.95, one request in twenty is sent again. If most requests take 10 ms,
    /// and one in a hundred takes a second, a share of 0.98 finds the slow ones, and a share of 0.995 does not.
    ///
    /// - Parameters:
    ///   - share: The share of the requests that have their response by then, from 0.5 to 0.999.
    ///   - minimum: The lower bound of the delay.
    ///   - minimumSamples: The number of responses with the key before which no request is sent again.
    /// - Returns: The delay.
    public static func percentile(
        _ share: Double,
        atLeast minimum: Duration = .milliseconds(10),
        minimumSamples: Int = 100
    ) -> HedgingDelay {
        HedgingDelay(
            rule: .percentile(
                // NaN is not above any number.
                share > 0.5 ? min(share, 0.999) : 0.5,
                atLeast: min(max(minimum, .zero), .longestTimeout),
                minimumSamples: max(minimumSamples, 1)
            )
        )
    }

    /// Whether the delay depends on the latencies of earlier requests.
    var usesLatencies: Bool { if case .percentile = rule { true } else { false } }

    /// Returns the delay after some latencies; `nil` if it depends on them, and there are too few.
    func value(after latencies: LatencyHistogram?) -> Duration? {
        switch rule {
        case .fixed(let delay): return delay
        case .percentile(let share, let minimum, let minimumSamples):
            guard let latencies, latencies.count >= minimumSamples else { return nil }
            return max(minimum, latencies.percentile(share))
        }
    }
}
