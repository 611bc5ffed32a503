/// A number of units from which each retry takes some, and to which successful requests return them: the retry quota of the AWS SDKs.
///
/// The rules are those of botocore (`RetryQuotaChecker`) in the mode `standard`.
struct RetryQuota: Equatable, Sendable {
    /// The units that a retry takes.
    struct Costs: Equatable, Sendable {
        var retry: Int
        var timeout: Int
        var throttling: Int

        fileprivate func cost(of failure: AttemptEnd.Failure) -> Int {
            switch failure {
            case .throttling: throttling
            case .timeout: timeout
            case .other: retry
            }
        }
    }

    private let capacity: Int
    private let costs: Costs
    /// The units that are left.
    private(set) var available: Int
    /// Whether a ``RetryPolicy`` counts the successes of requests.
    private var isCountedByPolicy = false

    /// The units that a request returns that has succeeded without a retry.
    static let increment = 1

    /// Creates a full quota.
    ///
    /// Negative values count as 0; values above a million count as a million.
    init(capacity: Int, costs: Costs) {
        func clamped(_ units: Int) -> Int { min(max(units, 0), 1_000_000) }
        self.capacity = clamped(capacity)
        self.costs = Costs(
            retry: clamped(costs.retry),
            timeout: clamped(costs.timeout),
            throttling: clamped(costs.throttling)
        )
        available = self.capacity
    }

    /// Counts a request that may be hedged; counts nothing if a policy uses the quota, too.
    mutating func countHedgeableRequest() {
        if !isCountedByPolicy { available = min(capacity, available + Self.increment) }
    }

    /// Takes the cost of a hedge, which is that of a retry; returns false if there are too few units.
    mutating func takeHedge() -> Bool {
        guard costs.retry <= available else { return false }
        available -= costs.retry
        return true
    }

    /// Counts the end of an attempt, and decides whether the request may be retried.
    mutating func decideRetry(after end: AttemptEnd, _ account: inout RetryAccount) -> Bool {
        isCountedByPolicy = true
        // The request has not succeeded after all. Otherwise a server that breaks off its bodies would pay for its retries.
        if end.isBodyFailure { available = max(0, available - account.lastChange) }
        account.lastChange = 0
        switch end.outcome {
        case .success:
            account.lastChange = min(capacity - available, account.retryCost ?? Self.increment)
            available += account.lastChange
            return false
        case .failure(let failure, wantsRetry: true):
            let cost = costs.cost(of: failure)
            guard cost <= available else { return false }
            available -= cost
            account.retryCost = cost
            return true
        case .failure, .other:
            return false
        }
    }
}
