/// Decides about the exchanges of one request: when another one is sent, and which result the request gets.
///
/// The exchanges have numbers: 0 for the first one, and 1 and so on for the hedges. The first good response wins. A failure ends no
/// other exchange, but no further one is sent, because a server that fails needs no more load. If all exchanges fail, the request
/// gets the result of the first one, as without hedging.
struct HedgingRule: Equatable, Sendable {
    private let maximumHedges: Int
    private var sent = 1
    private var running = 1
    private var isClosed = false

    /// Creates the rule of a request whose first exchange has been sent.
    init(maximumHedges: Int) { self.maximumHedges = maximumHedges }

    /// Whether another exchange may be sent after another delay.
    var allowsHedge: Bool { !isClosed && sent <= maximumHedges }

    /// Handles the end of a delay; `isAllowed` is whether the budget allows another exchange.
    ///
    /// - Returns: The number of the exchange to send; `nil` for none.
    mutating func delayEnded(isAllowed: @autoclosure () -> Bool) -> Int? {
        guard allowsHedge else { return nil }
        guard isAllowed() else {
            isClosed = true
            return nil
        }
        defer { (sent, running) = (sent + 1, running + 1) }
        return sent
    }

    /// Handles the end of an exchange with a good response, or with a failure.
    ///
    /// - Returns: The number of the exchange whose result the request gets; `nil` if it must wait.
    mutating func exchangeEnded(_ number: Int, isGood: Bool) -> Int? {
        running -= 1
        isClosed = true
        if isGood { return number }
        return running == 0 ? 0 : nil
    }

    /// Returns whether a response with this status wins: no retry could improve it.
    static func isGood(status: Int) -> Bool { RetryableStatus.reasons[status] == nil }
}
