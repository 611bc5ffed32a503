/// The state that the exchanges of one attempt share.
///
/// The redirect stage creates it for each attempt, in the context that it passes on, and it ends with the attempt. It is
/// not a part of the record: a copy of it continues a download, or validates a stored response in the background, while
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
