import TestSupport

/// What the misbehaving server does with a request, which names it in its path.
enum SoakBehavior: String, CaseIterable, Sendable {
    case ok
    /// Responds after some milliseconds.
    case slow
    /// Never responds.
    case stall
    /// Sends the body piece by piece.
    case drip
    /// Sends some of the body, and then breaks the response off: by a reset stream, or a closed connection.
    case truncate
    /// Breaks off before the response.
    case abort
    /// Resets the connection.
    case reset
    /// Closes the connection after the response without having said so.
    case closeAfter
    /// Closes the connection without a response if it has been used before; the request counts as received.
    case closeIfReused
    /// Sends interim responses first.
    case interim
    /// Responds before it has read the body.
    case early
    /// Says that it takes no more requests, and responds.
    case goAway
    /// Says that it takes no more requests, this one included; the next time it responds. HTTP/2 only.
    case goAwayBefore
    /// Refuses the stream; the next time it responds. HTTP/2 only.
    case refuse
    /// Sends what is no HTTP.
    case garbage

    static let http1 = allCases.filter { $0 != .goAwayBefore && $0 != .refuse }

    /// Most requests get a response, as in life; otherwise no connection would be used again.
    static func random(isHTTP2: Bool, using random: inout SeededGenerator) -> SoakBehavior {
        if !random.oneIn(4) { return random.one(of: .ok, .ok, .ok, .slow) }
        let cases = isHTTP2 ? allCases : http1
        let behavior = cases[random.below(cases.count)]
        // What ends a connection of HTTP/2 ends all that is on it.
        let isFatal = [.reset, .garbage, .closeAfter, .closeIfReused].contains(behavior)
        return isHTTP2 && isFatal && !random.oneIn(20) ? .ok : behavior
    }

    /// Whether the request gets a response, if nothing else happens to its connection.
    var responds: Bool {
        switch self {
        case .ok, .slow, .drip, .closeAfter, .interim, .goAway, .goAwayBefore, .refuse: true
        case .stall, .truncate, .abort, .reset, .closeIfReused, .early, .garbage: false
        }
    }
}
