import MoyaHTTP

extension HAR.Timings {
    /// Creates the timings of an exchange that has ended.
    ///
    /// The sum of the phases is the time from the beginning of the exchange to its end. A phase in which the exchange has failed ends with
    /// it. The handshake with a proxy counts as a part of the connection, as does TLS. The part of the wait for a connection that none
    /// of the phases explains is ``blocked``.
    ///
    /// - Parameters:
    ///   - times: The times of the exchange.
    ///   - bodyRead: The time at which the transport has read the request's body, for one that does not know when that was sent.
    init(_ times: ExchangeTimings, bodyRead: Duration? = nil) {
        let end = times.ended ?? .zero
        func duration(_ phase: ExchangeTimings.Phase?) -> Duration? {
            phase.map { max(.zero, min($0.end ?? end, end) - $0.start) }
        }
        let (lookup, tls) = (duration(times.lookup), duration(times.tls))
        let connecting = [duration(times.connect), duration(times.proxy), tls].compactMap(\.self)
        let connect = connecting.isEmpty ? nil : connecting.reduce(.zero, +)
        let head = min(times.responseStarted ?? end, end)
        // Without a connection, the whole time is a wait for one, unless the transport reports no connections.
        let isWaitKnown = times.acquired != nil || times.queued != nil || lookup != nil || connect != nil
        let connected = min(times.acquired ?? (isWaitKnown ? end : .zero), head)
        let blocked = isWaitKnown ? max(.zero, connected - (lookup ?? .zero) - (connect ?? .zero)) : nil
        // An early response may begin while the body is still being sent.
        let sent = min(max(times.requestSent ?? bodyRead ?? connected, connected), head)
        self.init(
            blocked: blocked?.inMilliseconds ?? -1,
            dns: lookup?.inMilliseconds ?? -1,
            connect: connect?.inMilliseconds ?? -1,
            send: (sent - connected).inMilliseconds,
            wait: (head - sent).inMilliseconds,
            receive: (end - head).inMilliseconds,
            ssl: tls?.inMilliseconds ?? -1
        )
    }
}

extension Duration {
    /// The duration in milliseconds, rounded to microseconds.
    fileprivate var inMilliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }
}
