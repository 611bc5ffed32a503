/// The entries of one request in a retry budget.
struct RetryAccount: Equatable, Sendable {
    /// The cost of the last retry; `nil` if the request was not retried.
    var retryCost: Int?
    /// The change of the balance by the outcome of the last attempt.
    var lastChange = 0
}
