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
    /// The time for which a closed connection counts.
    private static let memory = Duration.seconds(60)
    /// The idle time below which the number of responses is the probable reason.
    private static let longestLinger = Duration.seconds(1)

    /// The shortest idle time after which the server has closed a connection, and the time when it last did so.
    private var idle: (shortest: Duration, noted: Duration)?
    /// The smallest number of responses after which it has closed one that was hardly idle, and the time when it last did so.
    private var responses: (fewest: Int, noted: Duration)?

    /// Records a connection that the server has closed.
    mutating func recordClose(_ use: Use, at now: Duration) {
        idle = (min(use.idle, idle.flatMap { Self.isRecent($0.noted, now) ? $0.shortest : nil } ?? use.idle), now)
        guard use.responses > 0, use.idle < Self.longestLinger else { return }
        let known = responses.flatMap { Self.isRecent($0.noted, now) ? $0.fewest : nil }
        responses = (min(use.responses, known ?? use.responses), now)
    }

    /// Records a response on a connection with an earlier use: the server has kept it open for longer than others, or for
    /// more requests.
    mutating func recordResponse(after use: Use) {
        if let idle, use.idle >= idle.shortest * 2 + Self.margin { self.idle = nil }
        if let responses, use.responses >= responses.fewest { self.responses = nil }
    }

    /// Whether the server may be about to close a connection.
    func isSuspect(_ use: Use, at now: Duration) -> Bool {
        if hasServedAll(use.responses, at: now) { return true }
        guard let idle, Self.isRecent(idle.noted, now) else { return false }
        return use.idle >= idle.shortest / 2 - Self.margin && use.idle < idle.shortest * 2 + Self.margin
    }

    /// Whether the server has closed connections after this number of responses or fewer.
    func hasServedAll(_ count: Int, at now: Duration) -> Bool {
        responses.map { count >= $0.fewest && Self.isRecent($0.noted, now) } ?? false
    }

    private static func isRecent(_ noted: Duration, _ now: Duration) -> Bool { now - noted < memory }
}
