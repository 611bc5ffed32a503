/// A limit on the number of requests that run at the same time.
public struct ConcurrencyLimit: Hashable, Sendable {
    /// The bounds of the limit; a fixed limit has equal ones.
    public let range: ClosedRange<Int>
    /// The limit at the beginning.
    public let initial: Int
    /// The time until a response after which a request counts as one that the server was too busy for; `nil` for no such time.
    public let latency: Duration?

    private init(_ initial: Int, in range: ClosedRange<Int>, latency: Duration?) {
        let lower = min(max(range.lowerBound, 1), 1_000_000)
        self.range = lower...min(max(range.upperBound, lower), 1_000_000)
        self.initial = min(max(initial, self.range.lowerBound), self.range.upperBound)
        self.latency = latency
    }

    /// Creates a limit that does not change.
    public static func fixed(_ maximum: Int) -> ConcurrencyLimit {
        ConcurrencyLimit(maximum, in: max(maximum, 1)...max(maximum, 1), latency: nil)
    }

    /// Creates a limit that adapts to the server by additive increase and multiplicative decrease (AIMD), as TCP's congestion window.
    ///
    /// While at least half of the limit is used, as many successful requests as the limit add one to it. A response with the status 429,
    /// 503 or 504, a timeout, and a request that takes longer than `latency` multiply it by 0.7, once for all requests that were running
    /// at that time.
    ///
    /// - Parameters:
    ///   - initial: The limit at the beginning.
    ///   - range: The bounds of the limit.
    ///   - latency: The time until the response, with all retries, after which a request counts as one that the server was too busy for.
    /// - Returns: The limit.
    public static func adaptive(
        _ initial: Int = 20,
        in range: ClosedRange<Int> = 1...200,
        latency: Duration? = nil
    ) -> ConcurrencyLimit {
        ConcurrencyLimit(initial, in: range, latency: latency)
    }
}

/// The current value of a ``ConcurrencyLimit``.
struct AdaptiveLimit: Equatable, Sendable {
    /// The meaning of a request's end for the limit.
    enum Outcome: Sendable {
        case success
        case overload
        /// The end says nothing about the server's load.
        case ignored
    }

    private let range: ClosedRange<Int>
    private var value: Double
    /// The number of decreases so far, which tells whether a request began before the last one.
    private(set) var generation = 0

    static let decrease = 0.7

    /// Creates the value at the beginning.
    init(_ limit: ConcurrencyLimit) {
        range = limit.range
        value = Double(limit.initial)
    }

    /// The number of requests that may run.
    var current: Int { Int(value) }

    /// Handles the end of a request that began in a generation; `used` includes it.
    mutating func record(_ outcome: Outcome, generation: Int, used: Int) {
        guard range.lowerBound < range.upperBound else { return }
        switch outcome {
        case .success:
            // A limit that is not used cannot be too low.
            if used * 2 >= current { value = min(Double(range.upperBound), value + 1 / value) }
        case .overload:
            guard generation == self.generation else { return }
            value = max(Double(range.lowerBound), value * Self.decrease)
            self.generation += 1
        case .ignored: break
        }
    }
}
