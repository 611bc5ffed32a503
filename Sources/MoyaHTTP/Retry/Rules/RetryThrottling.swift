/// A number of tokens that failures decrease and successes increase, and that must be more than half of the maximum for a retry: the retry
/// throttling of gRPC (proposal A6).
///
/// The unit is a thousandth of a token, because the ratio has three decimal places.
struct RetryThrottling: Equatable, Sendable {
    private let maximum: Int
    private let increment: Int
    /// The thousandths of tokens.
    private(set) var tokens: Int

    private static let token = 1_000

    /// Creates throttling with all tokens.
    ///
    /// The maximum is clamped to the range from 1 to 1,000. Decimal places beyond 3 of the ratio are ignored; negative ratios and NaN count
    /// as 0, and others above the maximum as the maximum.
    init(maximumTokens: Int, tokenRatio: Double) {
        let tokens = min(max(maximumTokens, 1), 1_000)
        maximum = tokens * Self.token
        increment = Self.thousandths(tokenRatio > 0 ? min(tokenRatio, Double(tokens)) : 0)
        self.tokens = maximum
    }

    /// Returns the greatest number of thousandths that is not above a number.
    private static func thousandths(_ number: Double) -> Int {
        // The product is rounded, so that it may be the next integer.
        let product = Int(number * Double(token))
        let candidates = [product + 1, product].filter { Double($0) / Double(token) <= number }
        return candidates.first ?? max(0, product - 1)
    }

    /// Whether there are enough tokens for retries and hedges.
    var isOpen: Bool { tokens > maximum / 2 }

    /// Counts the end of an attempt, and decides whether the request may be retried.
    mutating func decideRetry(after end: AttemptEnd, _ account: inout RetryAccount) -> Bool {
        // An attempt counts once: its last outcome.
        if end.isBodyFailure { tokens = min(max(tokens - account.lastChange, 0), maximum) }
        let before = tokens
        defer { account.lastChange = tokens - before }
        switch end.outcome {
        case .success:
            tokens = min(maximum, tokens + increment)
            return false
        case .failure(_, let wantsRetry):
            tokens = max(0, tokens - Self.token)
            return wantsRetry && isOpen
        case .other:
            return false
        }
    }
}
