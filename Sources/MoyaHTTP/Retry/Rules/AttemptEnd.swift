/// The end of an attempt: the event that a ``RetryBudget`` counts.
struct AttemptEnd: Equatable, Sendable {
    /// The outcome of an attempt.
    enum Outcome: Equatable, Sendable {
        /// A response with a status from 200 to 299.
        case success
        /// A failure that the policy retries, or would retry without its limits and the rules for methods and bodies.
        case failure(Failure, wantsRetry: Bool)
        /// Any other outcome, which says nothing about the server's state, such as 404.
        case other
    }

    /// The kind of a failure.
    enum Failure: Equatable, Sendable {
        /// The server limits the rate of requests (429).
        case throttling
        /// No response arrived in time.
        case timeout
        /// Any other failure.
        case other
    }

    /// The outcome.
    var outcome: Outcome
    /// Whether the attempt is the first one of its request.
    var isFirst: Bool
    /// Whether the response's head was the end of the same attempt before, and its body could not be read then.
    var isBodyFailure = false
}
