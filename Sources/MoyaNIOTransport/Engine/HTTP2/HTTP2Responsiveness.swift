/// The knowledge of whether the server of a connection responds, and the rules for the PINGs that ask it.
///
/// PINGs detect an unreachable server, for example after a router has dropped the connection. Times are relative to the opening of the
/// connection.
struct HTTP2Responsiveness {
    enum Action: Equatable {
        case none
        /// Call ``checkDue(at:hasRequests:hasPendingInput:)`` at this time.
        case check(at: Duration)
        /// Send a PING, and call ``checkDue(at:hasRequests:hasPendingInput:)`` at this time, and not at the earlier one.
        case ping(checkAt: Duration)
        /// End the connection, because the server has not responded to a PING.
        case endConnection
    }

    /// The time without received data after which a PING is sent: by a timer while requests run, or with the next request.
    static let pingAfter = Duration.seconds(30)
    /// The maximum time until the response to a PING.
    static let pingTimeout = Duration.seconds(20)

    /// The time of the last received bytes; at first zero, which is the time when the connection was opened.
    private var lastReceived = Duration.zero
    /// The time of the PING since which nothing has been received.
    private var pinged: Duration?
    /// Whether a request has timed out since the last received bytes; the pool sends no requests meanwhile.
    private(set) var isInDoubt = false
    private var isCheckScheduled = false
    /// The time until the next check if input is pending.
    private var readDelay = PendingInputDelay()

    /// Handles bytes of the server, which is responsive.
    ///
    /// - Returns: Whether that was in doubt.
    mutating func receivedBytes(at now: Duration) -> Bool {
        defer { isInDoubt = false }
        (lastReceived, pinged) = (now, nil)
        return isInDoubt
    }

    /// Handles a request that is sent.
    mutating func sentRequest(at now: Duration) -> Action {
        guard pinged == nil else { return .none }
        if now - lastReceived >= Self.pingAfter { return ping(at: now) }
        return isCheckScheduled ? .none : check(at: lastReceived + Self.pingAfter)
    }

    /// Handles a request that has timed out without a response: the server is in doubt until it responds, unless it has sent something
    /// since the request, if only for other requests.
    mutating func requestTimedOut(sentAt sent: Duration, at now: Duration) -> Action {
        guard lastReceived <= sent else { return .none }
        isInDoubt = true
        return pinged == nil ? ping(at: now) : .none
    }

    /// Handles the time of a check.
    ///
    /// A late timer fires before the event loop reads the response to the PING that waits in the socket. So the check is repeated while
    /// input is pending.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - hasRequests: Whether requests run on the connection.
    ///   - hasPendingInput: Whether bytes wait in the socket.
    /// - Returns: The action.
    mutating func checkDue(at now: Duration, hasRequests: Bool, hasPendingInput: @autoclosure () -> Bool) -> Action {
        isCheckScheduled = false
        guard let pinged else { return hasRequests ? sentRequest(at: now) : .none }
        guard now - pinged >= Self.pingTimeout else { return check(at: pinged + Self.pingTimeout) }
        guard hasPendingInput() else { return .endConnection }
        return check(at: now + readDelay.take())
    }

    private mutating func ping(at now: Duration) -> Action {
        readDelay.restore()
        (pinged, isCheckScheduled) = (now, true)
        return .ping(checkAt: now + Self.pingTimeout)
    }

    private mutating func check(at time: Duration) -> Action {
        isCheckScheduled = true
        return .check(at: time)
    }
}
