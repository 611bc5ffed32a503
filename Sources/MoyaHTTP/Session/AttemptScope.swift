/// The state of an attempt that the stages below ``RedirectStage`` read.
///
/// The redirect stage creates it for each attempt, and once more if it sends the request of a download again within an attempt. It
/// changes it at each redirect, in the context that it passes on. Stages above do not read the initial one of the context. It is a
/// value and not a part of the record, because a copy continues a download, or validates a stored response in the background, while
/// the request goes on.
struct AttemptScope: Sendable {
    /// The time at which the first exchange of the attempt began.
    ///
    /// The time limit applies to all exchanges of the attempt.
    var started = ContinuousClock.now
    /// The redirects so far, as the rules of cookies see them.
    var cookies = CookieContext()
    /// Whether the request is, or was, at another origin than the one that it was created for.
    var hasCrossedOrigin = false
}
