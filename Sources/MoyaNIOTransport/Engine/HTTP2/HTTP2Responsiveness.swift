#if NIO && !canImport(Darwin)
import NIOCore

/// The knowledge of whether the server of a connection responds, and the rules for the PINGs that ask it.
///
/// PINGs detect an unreachable server, for example after a router has dropped the connection.
struct HTTP2Responsiveness {
    enum Action: Equatable {
        case none
        /// Call ``checkDue(at:hasRequests:hasPendingInput:)`` at this time.
        case check(at: NIODeadline)
        /// Send a PING, and call ``checkDue(at:hasRequests:hasPendingInput:)`` at this time, and not at the earlier one.
        case ping(checkAt: NIODeadline)
        /// End the connection, because the server has not responded to a PING.
        case endConnection
    }

    /// The time without received data after which a PING is sent: by a timer while requests run, or with the next request.
    static let pingAfter = TimeAmount.seconds(30)
    /// The maximum time until the response to a PING.
    static let pingTimeout = TimeAmount.seconds(20)

    /// The time after which pending input is checked for the first time, as for the timeouts of exchanges.
    private static let shortestReadTime = TimeAmount(TimeoutState.readTime)
    /// The maximum time between two checks of pending input.
    private static let longestReadTime = TimeAmount.milliseconds(64)

    /// The time of the last received bytes; at first the time when the connection was opened.
    private(set) var lastReceived: NIODeadline
    /// The time of the PING since which nothing has been received.
    private var pinged: NIODeadline?
    /// Whether a request has timed out since the last received bytes; the pool sends no requests meanwhile.
    private(set) var isInDoubt = false
    private var isCheckScheduled = false
    /// The time until the next check if input is pending.
    private var readTime = Self.shortestReadTime

    /// Creates the state of a connection that has just been opened.
    init(at now: NIODeadline) { lastReceived = now }

    /// Handles bytes of the server, which is responsive.
    ///
    /// - Returns: Whether that was in doubt.
    mutating func receivedBytes(at now: NIODeadline) -> Bool {
        defer { isInDoubt = false }
        (lastReceived, pinged) = (now, nil)
        return isInDoubt
    }

    /// Handles a request that is sent.
    mutating func sentRequest(at now: NIODeadline) -> Action {
        guard pinged == nil else { return .none }
        if now - lastReceived >= Self.pingAfter { return ping(at: now) }
        return isCheckScheduled ? .none : check(at: lastReceived + Self.pingAfter)
    }

    /// Handles a request that has timed out without a response: the server is in doubt until it responds, unless it has sent something
    /// since the request, if only for other requests.
    mutating func requestTimedOut(sentAt sent: NIODeadline, at now: NIODeadline) -> Action {
        guard lastReceived <= sent else { return .none }
        isInDoubt = true
        return pinged == nil ? ping(at: now) : .none
    }

    /// Handles the time of a check.
    ///
    /// A late timer fires before the event loop reads the response to the PING that waits in the socket. So the check is repeated while
    /// input is pending. The time until the next one doubles, because an event loop runs all due timers before it reads.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - hasRequests: Whether requests run on the connection.
    ///   - hasPendingInput: Whether bytes wait in the socket.
    /// - Returns: The action.
    mutating func checkDue(at now: NIODeadline, hasRequests: Bool, hasPendingInput: @autoclosure () -> Bool) -> Action {
        isCheckScheduled = false
        guard let pinged else { return hasRequests ? sentRequest(at: now) : .none }
        guard now - pinged >= Self.pingTimeout else { return check(at: pinged + Self.pingTimeout) }
        guard hasPendingInput() else { return .endConnection }
        defer { readTime = min(readTime * 2, Self.longestReadTime) }
        return check(at: now + readTime)
    }

    private mutating func ping(at now: NIODeadline) -> Action {
        readTime = Self.shortestReadTime
        (pinged, isCheckScheduled) = (now, true)
        return .ping(checkAt: now + Self.pingTimeout)
    }

    private mutating func check(at time: NIODeadline) -> Action {
        isCheckScheduled = true
        return .check(at: time)
    }
}
#endif
