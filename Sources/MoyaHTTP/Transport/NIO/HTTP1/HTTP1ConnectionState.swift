/// How far the exchange on a connection of HTTP/1.1 is, and whether another one may follow it. Pure.
struct HTTP1ConnectionState: Sendable {
    private enum Response: Sendable { case none, begun, ended }

    /// Whether the connection had carried another exchange before this one.
    private(set) var isReused = false

    private(set) var isOpen = true
    private var isRunning = false
    private var isUsed = false
    private var isRequestSent = false
    private var response = Response.none
    private var isKeepAlive = true

    /// Whether bytes that come belong to a response.
    var expectsBytes: Bool { isRunning && response != .ended }
    /// Whether nothing of the response has come yet.
    var isBeforeResponse: Bool { response == .none }

    /// A request begins. False if the connection is closed, or has another one.
    mutating func begin(closesAfter: Bool) -> Bool {
        guard isOpen, !isRunning else { return false }
        (isReused, isUsed) = (isUsed, true)
        (isRunning, isRequestSent, response, isKeepAlive) = (true, false, .none, !closesAfter)
        return true
    }

    /// The request is written to its end.
    mutating func sentEnd() { isRequestSent = true }

    /// Something of the response has come, be it the beginning of its head or of an interim response.
    mutating func receivedBytes() { if response == .none { response = .begun } }

    /// The head of the final response has come.
    ///
    /// A server that refuses a long body may close the connection instead of reading the rest, and need not say so. Another
    /// request on that connection could be lost.
    mutating func receivedHead(status: Int, ofLongRequest isLong: Bool) {
        if isLong, !(200..<300).contains(status) { isKeepAlive = false }
    }

    /// The response has come to its end. RFC 9112, section 9.3, says whether the connection persists.
    mutating func receivedEnd(isKeepAlive: Bool) {
        response = .ended
        self.isKeepAlive = self.isKeepAlive && isKeepAlive
    }

    /// Bytes have come that belong to no response: whoever sent them could answer the next request (RFC 9112, section 11.2).
    mutating func receivedExcess() { isKeepAlive = false }

    /// Ends an exchange whose response has come, and returns whether the connection can have another one: not if the request
    /// has not left, as what would follow is its rest (RFC 9112, section 9.3). Nil while the response is not there.
    mutating func end() -> Bool? {
        guard isRunning, response == .ended else { return nil }
        isRunning = false
        return isKeepAlive && isRequestSent && isOpen
    }

    /// The connection is closed, or to be closed. False if it was before.
    mutating func close() -> Bool {
        defer { (isOpen, isRunning) = (false, false) }
        return isOpen
    }
}
