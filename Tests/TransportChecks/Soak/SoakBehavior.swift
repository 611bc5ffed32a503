import TestSupport

/// The reaction of the misbehaving server to a request, whose path selects it.
enum SoakBehavior: String, CaseIterable, Sendable {
    case ok
    /// Responds after some milliseconds.
    case slow
    /// Never responds.
    case stall
    /// Sends the body piece by piece.
    case drip
    /// Sends a part of the body and then breaks the response off, by a reset stream or a closed connection.
    case truncate
    /// Ends the stream or the connection before the response.
    case abort
    /// Resets the connection.
    case reset
    /// Closes the connection after the response without an announcement.
    case closeAfter
    /// Closes the connection without a response if it has been used before; the request counts as received.
    case closeIfReused
    /// Sends interim responses first.
    case interim
    /// Responds before it has read the body.
    case early
    /// Announces that it accepts no more requests, and responds.
    case goAway
    /// Announces that it accepts no more requests, including this one; responds the next time. HTTP/2 only.
    case goAwayBefore
    /// Refuses the stream; responds the next time. HTTP/2 only.
    case refuse
    /// Sends bytes that are not HTTP.
    case garbage

    static let http1 = allCases.filter { $0 != .goAwayBefore && $0 != .refuse }

    /// Most requests get a response, as usual in practice, because otherwise no connection would be reused.
    static func random(isHTTP2: Bool, using random: inout SeededGenerator) -> SoakBehavior {
        if !random.oneIn(4) { return random.one(of: .ok, .ok, .ok, .slow) }
        let cases = isHTTP2 ? allCases : http1
        let behavior = cases[random.below(cases.count)]
        // Behaviors that end an HTTP/2 connection end all of its streams.
        let isFatal = [.reset, .garbage, .closeAfter, .closeIfReused].contains(behavior)
        return isHTTP2 && isFatal && !random.oneIn(20) ? .ok : behavior
    }

    /// Whether the request gets a response if its connection has no other failure.
    var responds: Bool {
        switch self {
        case .ok, .slow, .drip, .closeAfter, .interim, .goAway, .goAwayBefore, .refuse: true
        case .stall, .truncate, .abort, .reset, .closeIfReused, .early, .garbage: false
        }
    }
}
