/// An HTTP/2 connection as the pool sees it: the number of its streams, and whether it accepts more.
struct PooledHTTP2Connection: Sendable {
    /// The number of requests on a connection from which there is no limit.
    private static let largestAllowance = 1_000
    /// The time after which a server that has not reported anything is expected to accept more requests, or more streams at once.
    private static let allowanceTime = Duration.seconds(1)

    let id: ConnectionPoolStateMachine.ConnectionID
    private(set) var streamCount = 0
    private(set) var streamLimit: Int
    /// Whether the server has sent its limit.
    private(set) var isLimitKnown = false
    /// The number of streams that the server is expected to accept at once, after it has refused one below its limit.
    private var streamAllowance = Int.max
    /// The time at which the server is expected to accept one more, if no response is complete until then.
    private var streamAllowanceEnd = Duration.zero
    /// Whether a response has begun.
    var hasResponded = false
    private(set) var idleSince: Duration
    /// Whether the pool sends no more requests on the connection, after a GOAWAY (RFC 9113, section 6.8), a change to HTTP/1.1, or
    /// a refused request (``refuseStream(isOnly:at:)``).
    ///
    /// The connection learns of a GOAWAY first, and returns requests until the pool does.
    var acceptsNoMore = false
    /// Whether the server responds.
    ///
    /// While that is in doubt, no requests are sent.
    var isResponsive = true
    /// Whether the server does not allow upgrades to other protocols on streams, as far as a request has shown.
    private(set) var refusesUpgrades = false
    /// The number of streams that are upgraded to another protocol.
    private var upgradedCount = 0
    /// The number of requests that were sent.
    private var sentCount = 0
    /// The number of requests that the server is expected to accept.
    private var requestAllowance: Int
    /// The time at which the last of these requests was sent.
    private var allowanceUsedAt: Duration?

    /// Creates a connection with a number of streams until the server has sent its limit; `requestAllowance` is `nil` for no limit.
    init(_ id: ConnectionPoolStateMachine.ConnectionID, streams: Int, requestAllowance: Int?, at now: Duration) {
        (self.id, streamLimit, self.requestAllowance, idleSince) = (id, streams, requestAllowance ?? .max, now)
    }

    /// Whether requests should wait for this connection rather than for another one.
    var isUsable: Bool { isCounted && sentCount < requestAllowance }
    var hasRoom: Bool { isUsable && streamCount < min(streamLimit, streamAllowance) }
    /// Whether all streams that the server allows are in use.
    ///
    /// A server that allows none pauses its client, so such a connection does not count as full.
    var isFull: Bool { isLimitKnown && streamLimit > 0 && streamCount >= streamLimit }
    /// Whether the server may accept no more requests, but has not reported so.
    var hasUsedAllowance: Bool { !acceptsNoMore && sentCount >= requestAllowance }
    /// Whether the connection counts towards the limit of connections: the pool may send requests on it, now or later.
    ///
    /// Upgraded streams may never end. A connection with no other streams, and without room for any, needs a replacement.
    var isCounted: Bool { !acceptsNoMore && isResponsive && (upgradedCount == 0 || upgradedCount < streamLimit) }
    /// Whether the pool should close the connection.
    var isUnneeded: Bool { acceptsNoMore && streamCount == 0 }
    /// The time at which the server is expected to accept more requests, unless it reports something until then.
    var allowanceDeadline: Duration? { hasUsedAllowance ? allowanceUsedAt.map { $0 + Self.allowanceTime } : nil }

    /// The time at which the server is expected to accept one more stream at once, although no response is complete; `nil` if the
    /// connection is not full because of refused requests.
    var streamDeadline: Duration? {
        isUsable && streamCount >= streamAllowance && streamCount < streamLimit ? streamAllowanceEnd : nil
    }

    /// Counts a request that is sent.
    mutating func beginStream(at now: Duration) {
        streamCount += 1
        sentCount += 1
        if sentCount == requestAllowance { allowanceUsedAt = now }
    }

    /// Counts the end of a stream.
    mutating func endStream(at now: Duration) { (streamCount, idleSince) = (streamCount - 1, now) }

    /// Counts a stream that is upgraded to another protocol.
    mutating func upgradeStream() { upgradedCount += 1 }

    /// Counts the end of a stream that was upgraded.
    mutating func endUpgradedStream(at now: Duration) {
        upgradedCount -= 1
        endStream(at: now)
    }

    /// Records that the server does not allow upgrades on streams.
    mutating func refuseUpgrades() { refusesUpgrades = true }

    /// Takes back a request for which no stream was opened: the server does not count it.
    mutating func uncountRequest() {
        sentCount -= 1
        if sentCount < requestAllowance { allowanceUsedAt = nil }
    }

    /// Counts a complete response on the stream with this number, from 1.
    ///
    /// - Returns: The number of requests that the server is expected to accept, if the response has increased it.
    mutating func countResponse(number: Int) -> Int? {
        hasResponded = true
        if streamAllowance < .max { extendStreamAllowance() }
        return number >= requestAllowance ? extendAllowance() : nil
    }

    /// Allows more requests, since the server still accepts them; returns their number, or `nil` if it does not.
    mutating func extendAllowance() -> Int? {
        guard !acceptsNoMore else { return nil }
        requestAllowance = requestAllowance > Self.largestAllowance / 2 ? .max : requestAllowance * 2
        allowanceUsedAt = nil
        return requestAllowance
    }

    /// Allows one more stream at once, after a second without a complete response: the running ones may never end.
    mutating func extendStreamAllowance(at now: Duration) {
        extendStreamAllowance()
        streamAllowanceEnd = now + Self.allowanceTime
    }

    private mutating func extendStreamAllowance() {
        streamAllowance = streamAllowance < streamLimit - 1 ? streamAllowance + 1 : .max
    }

    /// Sets the limit that the server has sent in its settings, which may also allow upgrades from now on.
    mutating func setStreamLimit(_ limit: Int) { (streamLimit, isLimitKnown, refusesUpgrades) = (limit, true, false) }

    /// Handles a request that the server has refused on its stream.
    ///
    /// The connection gets as many requests at once as the server has accepted, but at least one, and one more after each response, or
    /// after a second. A connection without a response gets no more requests if another one is usable.
    ///
    /// - Returns: Whether the connection gets no more requests from now on.
    mutating func refuseStream(isOnly: Bool, at now: Duration) -> Bool {
        guard isUsable else { return false }
        guard hasResponded || isOnly else {
            acceptsNoMore = true
            return true
        }
        (streamAllowance, streamAllowanceEnd) = (max(1, streamCount - 1), now + Self.allowanceTime)
        return false
    }
}
