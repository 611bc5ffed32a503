/// The state machine of an HTTP/1.1 connection, which determines whether the connection can be reused.
struct HTTP1ConnectionStateMachine: Sendable {
    private enum Response: Sendable { case none, begun, ended }

    /// Whether the connection has carried another exchange before.
    private(set) var isReused = false

    private(set) var isOpen = true
    private(set) var isRunning = false
    /// Whether the connection has carried an exchange.
    private(set) var isUsed = false
    private var isRequestSent = false
    private var response = Response.none
    private var isKeepAlive = true

    /// Whether received bytes belong to a response.
    var expectsBytes: Bool { isRunning && response != .ended }
    /// Whether nothing of the response has been received.
    var isBeforeResponse: Bool { response == .none }

    /// Starts a request.
    ///
    /// Returns false if the connection is closed or has another request.
    @discardableResult
    mutating func begin(closesAfter: Bool) -> Bool {
        guard isOpen, !isRunning else { return false }
        (isReused, isUsed) = (isUsed, true)
        (isRunning, isRequestSent, response, isKeepAlive) = (true, false, .none, !closesAfter)
        return true
    }

    /// Handles the end of the request.
    mutating func sentEnd() { isRequestSent = true }

    /// Handles bytes of the response, including those of an interim response or an incomplete head.
    mutating func receivedBytes() { if response == .none { response = .begun } }

    /// Handles the head of the final response.
    ///
    /// A server that rejects a long body may close the connection instead of reading the rest, without announcing
    /// it. Another request on that connection could be lost.
    mutating func receivedHead(status: Int, ofLongRequest isLong: Bool) {
        if isLong, !(200..<300).contains(status) { isKeepAlive = false }
    }

    /// Handles the end of the response.
    ///
    /// `isKeepAlive` is whether the connection persists (RFC 9112, section 9.3).
    mutating func receivedEnd(isKeepAlive: Bool) {
        response = .ended
        self.isKeepAlive = self.isKeepAlive && isKeepAlive
    }

    /// Handles bytes that do not belong to a response: they could be a forged response to the next request (RFC
    /// 9112, section 11.2).
    mutating func receivedExcess() { isKeepAlive = false }

    /// Ends an exchange with a complete response, and returns whether the connection can be reused; nil if the
    /// response is not complete.
    ///
    /// The connection cannot be reused if the request has not been sent completely, since its rest would follow
    /// (RFC 9112, section 9.3).
    mutating func end() -> Bool? {
        guard isRunning, response == .ended else { return nil }
        isRunning = false
        return isKeepAlive && isRequestSent && isOpen
    }

    /// Closes the connection.
    ///
    /// Returns false if it was closed before.
    mutating func close() -> Bool {
        defer { (isOpen, isRunning) = (false, false) }
        return isOpen
    }
}
