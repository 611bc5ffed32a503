@testable import MoyaHTTP

/// Compares rules with the steps that `scripts/check/resilience-oracles` has written, whose format is described there.
struct ResilienceReplay {
    /// A mistake in the steps themselves.
    struct InvalidStep: Error {
        let line: String
    }

    /// The number of steps.
    private(set) var steps = 0
    /// The first steps whose decision or value differs.
    private(set) var differences: [String] = []

    private mutating func compare(_ isEqual: Bool, _ line: Substring, _ found: @autoclosure () -> String) {
        steps += 1
        if !isEqual, differences.count < 10 { differences.append("step \(steps), \(line), found \(found())") }
    }

    // MARK: Budgets

    /// Compares a budget's decisions and balances.
    ///
    /// - Parameters:
    ///   - text: The steps.
    ///   - makeRule: Creates a rule from the numbers of a line `new`.
    ///   - balance: Returns the balance of a rule.
    /// - Throws: ``InvalidStep`` for a line with another format.
    mutating func replayBudget(
        _ text: String,
        _ makeRule: (_ numbers: [Double]) -> RetryBudgetRule,
        balance: (RetryBudgetRule) -> Int?
    ) throws {
        var rule = makeRule([0, 0, 0, 0])
        var accounts: [Substring: RetryAccount] = [:]
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            if fields.first == "new" {
                (rule, accounts) = (makeRule(fields.dropFirst().compactMap { Double($0) }), [:])
                continue
            }
            guard fields.count == 6, let outcome = Self.outcome(fields[2], wantsRetry: fields[3] == "1") else {
                throw InvalidStep(line: String(line))
            }
            let end = AttemptEnd(outcome: outcome, isFirst: fields[1] == "1")
            if end.isFirst { accounts[fields[0]] = RetryAccount() }
            let isAllowed = rule.decideRetry(after: end, &accounts[fields[0], default: RetryAccount()], now: .zero)
            let found = balance(rule)
            compare(isAllowed == (fields[4] == "1") && found == Int(fields[5]), line, "\(isAllowed) \(found ?? -1)")
        }
    }

    private static func outcome(_ name: Substring, wantsRetry: Bool) -> AttemptEnd.Outcome? {
        switch name {
        case "success": .success
        case "throttling": .failure(.throttling, wantsRetry: wantsRetry)
        case "timeout": .failure(.timeout, wantsRetry: wantsRetry)
        case "failure": .failure(.other, wantsRetry: wantsRetry)
        case "other": .other
        default: nil
        }
    }

    // MARK: Adaptive limit

    /// Compares an adaptive limit's decisions and values.
    ///
    /// - Throws: ``InvalidStep`` for a line with another format.
    mutating func replayAdaptiveRate(_ text: String) throws {
        var rate = AdaptiveRate(at: .zero)
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            let numbers = fields.map { Double($0) ?? .nan }
            guard let time = Int(fields[fields[0] == "new" ? 1 : 0]) else { throw InvalidStep(line: String(line)) }
            let now = Duration.microseconds(time)
            switch (fields[0], fields.count > 1 ? fields[1] : "", fields.count) {
            case ("new", _, 2):
                rate = AdaptiveRate(at: now)
            case (_, "request", 5):
                let delay = (rate.time(after: 0, from: now) - now).inSeconds
                let isAllowed = rate.isReady(at: now)
                if isAllowed { rate.take() }
                let found = [isAllowed ? 1 : 0, delay, rate.bucket.level]
                // The delay is rounded up to nanoseconds.
                let isDelayEqual = delay > numbers[3] - 1e-9 && delay < numbers[3] + 2e-9
                compare(
                    found[0] == numbers[2] && isDelayEqual && Self.areEqual([found[2]], [numbers[4]]),
                    line,
                    "\(found)"
                )
            case (_, "end", 8):
                _ = rate.requestEnded(isThrottled: fields[2] == "1", at: now)
                let found = [
                    rate.bucket.rate, rate.bucket.level, rate.measured.value, rate.growth.throttledRate,
                    rate.growth.recovery,
                ]
                compare(Self.areEqual(found, Array(numbers[3...])), line, "\(found)")
            default:
                throw InvalidStep(line: String(line))
            }
        }
    }

    private static func areEqual(_ found: [Double], _ expected: [Double]) -> Bool {
        zip(found, expected).allSatisfy { abs($0 - $1) <= 1e-9 * max(1, abs($1)) }
    }
}
