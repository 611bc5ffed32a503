/// The state machine of an HTTP/1.1 connection, which determines whether the connection can be reused.
struct HTTP1ConnectionStateMachine: Sendable {
    enum Phase: Equatable, Sendable {
        /// The connection has carried no exchange.
        case unused
        case running
        /// The exchange is over, but the read of its last bytes is not: further bytes of that read belong to no response.
        ///
        /// A connection that can be reused begins the next exchange after the read.
        case endingRead
        /// The connection has carried an exchange, and waits for the next one.
        case idle
        case closed
    }

    /// The decision about a new request.
    enum Admission: Equatable, Sendable {
        /// Call ``HTTP1ConnectionStateMachine/begin(closesAfter:)``.
        case now
        /// Decide again after the read.
        case afterRead
        /// The connection runs a request, or is closed.
        case refused
    }

    private enum Response: Sendable { case none, begun, ended }

    private(set) var phase = Phase.unused

    // The following properties are about the current exchange, or the last one.

    /// Whether the connection has carried another exchange before.
    private(set) var isReused = false
    private var hasRequestEnded = false
    private var response = Response.none
    /// Whether no message has excluded the reuse of the connection after the exchange; both must also end.
    private(set) var canBeReused = true
    /// Whether the connection is upgraded to another protocol, whose output and input end independently.
    private(set) var isUpgraded = false

    var isOpen: Bool { phase != .closed }
    /// Whether received bytes belong to a response.
    var isExpectingBytes: Bool { phase == .running && response != .ended }
    /// Whether nothing of the response has been received.
    var isBeforeResponse: Bool { response == .none }

    /// Whether a request can begin.
    var admission: Admission {
        switch phase {
        case .unused, .idle: .now
        case .endingRead: .afterRead
        case .running, .closed: .refused
        }
    }

    /// Starts a request.
    ///
    /// ``admission`` must be ``Admission/now``.
    mutating func begin(closesAfter: Bool) {
        isReused = phase == .idle
        (phase, hasRequestEnded, response, canBeReused) = (.running, false, .none, !closesAfter)
    }

    /// Handles the end of the request, or of the output of an upgraded connection: at most the end of a chunked body is not written yet.
    mutating func requestEnded() { hasRequestEnded = true }

    /// Handles the head of a response by which the server agrees to an upgrade: the output begins, and HTTP has ended on the connection.
    mutating func upgraded() { (isUpgraded, hasRequestEnded, canBeReused) = (true, false, false) }

    /// Whether the connection is upgraded, and its output has not ended.
    var hasOpenOutput: Bool { isUpgraded && !hasRequestEnded }
    /// Whether the response has ended, or the input of an upgraded connection.
    var hasResponseEnded: Bool { response == .ended }

    /// Handles bytes of the response, including those of an interim response or an incomplete head.
    mutating func receivedBytes() { if response == .none { response = .begun } }

    /// Handles the head of the final response.
    ///
    /// A server that rejects a long body, or one that has not ended, may close the connection without notice instead of reading the
    /// rest, although that may have been sent to the buffers of the sockets. Another request on that connection could be lost.
    mutating func receivedHead(status: Int, ofLongRequest isLong: Bool) {
        let mayLeaveBytes = isLong || !hasRequestEnded
        if mayLeaveBytes, !(200..<300).contains(status) { canBeReused = false }
    }

    /// Handles the end of the response.
    ///
    /// `isPersistent` is whether the server lets the connection persist (RFC 9112, section 9.3).
    mutating func receivedEnd(isPersistent: Bool) {
        response = .ended
        canBeReused = canBeReused && isPersistent
    }

    /// Handles bytes that do not belong to a response: they could be a forged response to the next request (RFC
    /// 9112, section 11.2).
    mutating func receivedExcess() { canBeReused = false }

    /// Ends an exchange with a complete response.
    ///
    /// The connection cannot be reused if the body of the request has not been read completely, since its rest would follow
    /// (RFC 9112, section 9.3).
    ///
    /// - Returns: Whether the connection can be reused; false if it is closed, or the response is not complete.
    mutating func endExchange() -> Bool {
        guard phase == .running, response == .ended else { return false }
        phase = .endingRead
        return canBeReused && hasRequestEnded
    }

    /// Handles the end of a read.
    mutating func readEnded() { if phase == .endingRead { phase = .idle } }

    /// Ends the connection, with or without a running exchange.
    ///
    /// - Returns: Whether it was open.
    mutating func endConnection() -> Bool {
        defer { phase = .closed }
        return phase != .closed
    }
}
