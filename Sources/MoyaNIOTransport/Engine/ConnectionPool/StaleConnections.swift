/// Remembers after which idle times, and after how many requests, a server has recently closed HTTP/1.1 connections without
/// announcing it.
///
/// A request that cannot be sent again should not be sent on a connection that the server is about to close (RFC 9112,
/// section 9.5).
struct StaleConnections: Sendable {
    /// The use of a connection up to the time when it is closed or used again.
    struct Use: Equatable, Sendable {
        /// The time since its last response.
        var idle: Duration = .zero
        /// The number of its responses.
        var responses: Int
    }

    /// The time in which a server is expected to close an idle connection later or earlier than another one.
    private static let margin = Duration.milliseconds(50)
    /// The idle time below which the number of responses is the probable reason.
    private static let longestLinger = Duration.seconds(1)

    /// The smallest of the recorded values, which counts until a minute after the last value.
    private struct Minimum<Value: Comparable & Sendable>: Sendable {
        private static var memory: Duration { .seconds(60) }

        let value: Value
        private let noted: Duration

        /// Creates the smallest of a value and the values that were recorded recently.
        init(_ value: Value, after earlier: Minimum?, at now: Duration) {
            self.value = earlier?.currentValue(at: now).map { min($0, value) } ?? value
            noted = now
        }

        /// The value, if it still counts.
        func currentValue(at now: Duration) -> Value? { now - noted < Self.memory ? value : nil }
    }

    /// The shortest idle time after which the server has closed a connection.
    private var idle: Minimum<Duration>?
    /// The smallest number of responses after which it has closed one that was hardly idle.
    private var responses: Minimum<Int>?

    /// Records a connection that the server has closed.
    mutating func recordClose(_ use: Use, at now: Duration) {
        idle = Minimum(use.idle, after: idle, at: now)
        guard use.responses > 0, use.idle < Self.longestLinger else { return }
        responses = Minimum(use.responses, after: responses, at: now)
    }

    /// Records a response after a use of a connection.
    ///
    /// If the server has kept this connection open for longer than the closed ones, or for more requests, these are forgotten.
    mutating func recordResponse(after use: Use) {
        if let idle, use.idle >= idle.value * 2 + Self.margin { self.idle = nil }
        if let responses, use.responses >= responses.value { self.responses = nil }
    }

    /// Whether the server may be about to close a connection.
    func isSuspect(_ use: Use, at now: Duration) -> Bool {
        if hasServedAll(use.responses, at: now) { return true }
        guard let shortest = idle?.currentValue(at: now) else { return false }
        return use.idle >= shortest / 2 - Self.margin && use.idle < shortest * 2 + Self.margin
    }

    /// Whether the server has closed connections after this number of responses or fewer.
    func hasServedAll(_ count: Int, at now: Duration) -> Bool {
        responses?.currentValue(at: now).map { count >= $0 } ?? false
    }
}
