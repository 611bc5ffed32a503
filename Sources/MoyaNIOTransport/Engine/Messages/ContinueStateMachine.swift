/// The state machine of a request that expects `100 (Continue)`: when its body is sent, and whether
/// (RFC 9110, section 10.1.1).
struct ContinueStateMachine: Equatable, Sendable {
    private enum Phase: Sendable { case waiting, allowed, refused }

    private var phase = Phase.waiting

    /// Whether the body waits for the server.
    var isWaiting: Bool { phase == .waiting }
    /// Whether the body may be sent.
    var isAllowed: Bool { phase == .allowed }

    /// Handles an interim response; those other than 100 do not matter.
    mutating func receivedInterim(status: Int) {
        if isWaiting, status == 100 { phase = .allowed }
    }

    /// Handles the head of the final response.
    ///
    /// A server that refuses the request does not read the body. One that accepts it without a 100 may not know the
    /// expectation, and wait for the body before it ends its response.
    mutating func receivedHead(status: Int) {
        if isWaiting { phase = (200..<300).contains(status) ? .allowed : .refused }
    }

    /// Handles the end of the time to wait: the server may not know the expectation.
    mutating func timedOut() {
        if isWaiting { phase = .allowed }
    }
}
