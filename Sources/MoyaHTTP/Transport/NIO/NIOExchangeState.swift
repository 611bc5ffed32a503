/// How far an exchange on a channel is, and whether another one may follow it. Pure.
struct NIOExchangeState: Sendable {
    private enum Response: Sendable { case none, begun, ended }

    private var isOpen = true
    private var isRunning = false
    private var isRequestSent = false
    private var response = Response.none
    private var isKeepAlive = true

    /// Whether the response is there to its end.
    var hasResponse: Bool { response == .ended }

    /// A request begins. False where the channel is closed, or has another one.
    mutating func begin() -> Bool {
        guard isOpen, !isRunning else { return false }
        (isRunning, isRequestSent, response, isKeepAlive) = (true, false, .none, true)
        return true
    }

    /// The request is written to its end.
    mutating func sentEnd() { isRequestSent = true }

    /// The response's head is there. RFC 9112, section 9.3, says whether the connection persists.
    mutating func receivedHead(isKeepAlive: Bool) {
        response = .begun
        self.isKeepAlive = isKeepAlive
    }

    /// The response is there to its end.
    mutating func receivedEnd() { response = .ended }

    /// Ends an exchange whose response is there, and says whether the channel can have another one: not if the request
    /// has not left, for what would follow is its rest (RFC 9112, section 9.3). Nil while the response is not there.
    mutating func end() -> Bool? {
        guard isRunning, response == .ended else { return nil }
        isRunning = false
        return isKeepAlive && isRequestSent && isOpen
    }

    /// The channel is closed, or to be closed. False if it was before.
    mutating func close() -> Bool {
        defer { (isOpen, isRunning) = (false, false) }
        return isOpen
    }
}
