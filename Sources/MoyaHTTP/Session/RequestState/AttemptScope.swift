import Foundation

/// The state of an attempt, which ``RedirectStage`` keeps for itself and the stages below it.
///
/// The redirect stage creates it for each attempt, and changes it at each redirect, in the context that it passes on; the hedging
/// stage marks its hedges. It is a value and not a part of the record, because a copy refreshes a stored response in the background, or
/// continues a download (``ResumptionStage``), while the request goes on.
struct AttemptScope: Sendable {
    /// The time at which the first exchange of the attempt began.
    private var start: MonotonicTime
    /// The redirects so far, as the rules of cookies see them.
    private(set) var cookies = CookieContext()
    /// Whether the request is, or was, at another origin than the one that it was created for.
    ///
    /// ``RedirectState`` decides it. This is a copy for the stages below ``RedirectStage``, which do not have the state.
    var hasCrossedOrigin = false
    /// Whether the exchange is a hedge: ``HedgingStage`` has sent it while another one for the same request runs.
    var isHedge = false

    /// Creates the scope of an attempt that begins, or has begun at a time.
    init(from start: MonotonicTime = .now) { self.start = start }

    /// Creates the scope of a request that is sent again from its first URL within an attempt.
    init(within scope: AttemptScope) { start = scope.start }

    /// Begins the time of the attempt again, for an exchange that does not belong to it.
    mutating func restart() { start = .now }

    /// Returns the rest of a time limit, which applies to all exchanges of the attempt together.
    // The scope has no deadline, because a long limit may exceed the range of instants.
    func timeLeft(of limit: Duration, at now: MonotonicTime = .now) -> Duration { limit - (now - start) }

    /// Continues the attempt at the target of a redirect.
    mutating func followRedirect(from url: URL, to target: RedirectRequest, hasCrossedOrigin: Bool) {
        cookies = .redirect(from: url, to: target.url, method: target.method, isSameSite: cookies.isSameSite)
        self.hasCrossedOrigin = hasCrossedOrigin
    }
}
