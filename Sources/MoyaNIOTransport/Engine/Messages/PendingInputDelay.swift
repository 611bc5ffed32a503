/// The time until a connection with pending input is checked again.
///
/// It doubles with each check, because an event loop runs all due timers before it reads: on a busy machine, many timers with a constant
/// delay would always be due, and the input would never be read.
struct PendingInputDelay: Sendable {
    private static let longest = Duration.milliseconds(64)

    private var next = TimeoutState.readTime

    /// Returns the time until the next check.
    mutating func take() -> Duration {
        defer { next = min(next * 2, Self.longest) }
        return next
    }

    /// Makes the next check early again.
    mutating func restore() { self = PendingInputDelay() }
}
