import Foundation

/// The times and sizes of a task in URLSession's metrics.
struct URLSessionTimes: Sendable {
    /// A begin and an end; `nil` for a phase that the task did not have.
    typealias Phase = (start: Date?, end: Date?)

    var lookup: Phase = (nil, nil)
    /// The establishment of the connection, with the TLS handshake.
    var connect: Phase = (nil, nil)
    var secure: Phase = (nil, nil)
    var request: Phase = (nil, nil)
    var response: Phase = (nil, nil)
    var requestBytes: (head: Int64, body: Int64) = (0, 0)
    var responseBytes: (head: Int64, body: Int64) = (0, 0)
    /// The status of the response, if there is one.
    var status: Int?
    var tls = ExchangeConnection.TLS()

    /// Returns the events of the exchange in their order.
    ///
    /// - Parameters:
    ///   - facts: The facts of the connection.
    ///   - now: The current time by both clocks.
    /// - Returns: The events; none if the task has no times.
    func events(
        on facts: URLSessionConnectionFacts,
        now: (date: Date, instant: ContinuousClock.Instant) = (Date(), .now)
    ) -> [TimedEvent] {
        var events: [TimedEvent] = []
        func add(_ event: ExchangeEvent, _ date: Date?) {
            guard let date else { return }
            events.append(
                TimedEvent(event, at: MonotonicTime(now.instant - .seconds(now.date.timeIntervalSince(date))))
            )
        }
        // The name of the host is not in the metrics.
        add(.lookupStarted(host: ""), lookup.start)
        add(.lookupEnded, lookup.end)
        add(.connectStarted, connect.start)
        add(.connectEnded, secure.start ?? connect.end)
        add(.tlsStarted, secure.start)
        add(.tlsEnded(tls), secure.end)
        let connection = ExchangeConnection(
            number: nil,
            tls: tls == ExchangeConnection.TLS() ? nil : tls,
            facts: { [connection = facts.connection] in connection }
        )
        add(.acquired(connection, isReused: facts.isReused), request.start)
        add(.requestHeadSent(bytes: requestBytes.head), request.start)
        add(.requestSent(bodyBytes: requestBytes.body), request.end)
        add(.responseStarted, response.start)
        if let status { add(.responseHead(status: status, bytes: responseBytes.head), response.start) }
        add(.responseEnded(bodyBytes: responseBytes.body), response.end)
        return events
    }
}
