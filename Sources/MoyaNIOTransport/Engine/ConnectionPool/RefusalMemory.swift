/// The memory of a pool of failed connect attempts, and of connections on which the server has processed no request or refused some.
struct RefusalMemory: Sendable {
    /// The time for which failures are remembered after the pause that they cause.
    private static let failureTime = Duration.seconds(1)
    /// The time for which refused requests are remembered; the session sends them again within it.
    private static let refusalTime = Duration.seconds(10)
    /// The number of connections in a row that the server has ended with an error before it processed a request, after which waiting
    /// requests fail.
    private static let maximumErrors = 5

    /// The failed connect attempts and refused connections, one after another, while an HTTP/2 connection was usable.
    private struct FurtherFailures: Sendable {
        var count = 0
        var last: ConnectionPoolStateMachine.ConnectionID = 0
        /// The time before which no further connection is opened.
        var pauseEnd = Duration.zero
    }

    /// The number of failed connect attempts since the last successful one.
    private var failures = 0
    /// The time before which no connect attempt is started.
    private(set) var earliestConnectTime = Duration.zero
    /// The number of requests that a recent HTTP/2 connection accepted before the server refused others; `nil` for no
    /// limit.
    private(set) var requestAllowance: Int?
    /// The number of HTTP/2 connections in a row on which the server has processed no request, while no other one was usable.
    private var refusals = 0
    /// The number of the last of these, in a row, that the server has ended with an error.
    private var errors = 0
    /// The time of the last departure with a number of processed requests.
    private var refusedAt = Duration.zero
    private var furtherFailures = FurtherFailures()

    /// Whether the last connect attempt has failed.
    var hasFailure: Bool { failures > 0 }
    /// Whether the server has processed no request on the last connection, while no other one was usable.
    var hasRefusal: Bool { refusals > 0 }
    /// Whether the server has refused all requests on several connections in a row with an error.
    ///
    /// A refused request should then fail.
    var isRefusingAll: Bool { errors >= Self.maximumErrors }
    /// The time before which no further connection is opened while others are usable.
    var furtherPauseEnd: Duration { furtherFailures.pauseEnd }
    /// Whether failed connect attempts or refused requests influence the next connections.
    var isRemembering: Bool { hasFailure || hasRefusal || requestAllowance != nil }

    /// The time at which everything is forgotten, if there are no connections and requests.
    var end: Duration {
        let end = earliestConnectTime + Self.failureTime
        return hasRefusal || requestAllowance != nil ? max(end, refusedAt + Self.refusalTime) : end
    }

    // MARK: Events

    /// Records a failed connect attempt.
    mutating func recordFailure(at now: Duration) {
        failures += 1
        earliestConnectTime = now + Self.pause(afterFailures: failures)
    }

    /// Records a connect attempt that has become an HTTP/1.1 connection.
    mutating func recordHTTP1() { (failures, earliestConnectTime) = (0, .zero) }

    /// Records a connect attempt that has become an HTTP/2 connection.
    mutating func recordHTTP2() {
        failures = 0
        // A server that refuses all requests accepts connections, too.
        if !hasRefusal { earliestConnectTime = .zero }
    }

    /// Records a failed connect attempt, or a connection that the server has refused, while an HTTP/2 connection was usable.
    mutating func recordFurtherFailure(_ id: ConnectionPoolStateMachine.ConnectionID, at now: Duration) {
        let count = furtherFailures.count + 1
        furtherFailures = FurtherFailures(count: count, last: id, pauseEnd: now + Self.pause(afterFurther: count))
    }

    /// Records the departure of an HTTP/2 connection while no other one was usable.
    ///
    /// It has no effect if the number of processed requests is unknown.
    ///
    /// - Returns: Whether waiting requests should fail, because the server refuses all.
    mutating func recordDeparture(_ departure: ConnectionPoolStateMachine.Departure, at now: Duration) -> Bool {
        guard let processed = departure.processed else { return false }
        refusedAt = now
        if departure.refused > 0 { requestAllowance = max(1, processed) }
        guard processed == 0, departure.refused > 0 || departure.isError else { return false }
        refusals += 1
        let pause = departure.isError ? Self.pause(afterRefusals: refusals) : Self.pause(afterFailures: refusals)
        earliestConnectTime = max(earliestConnectTime, now + pause)
        errors = departure.isError ? errors + 1 : 0
        return isRefusingAll
    }

    /// Records a response over HTTP/2, which has begun or is complete.
    ///
    /// A response on a connection after the failed ones ends the pause before further connections.
    mutating func recordResponse(on id: ConnectionPoolStateMachine.ConnectionID) {
        (refusals, errors) = (0, 0)
        if furtherFailures.count > 0, id > furtherFailures.last { furtherFailures = FurtherFailures() }
    }

    /// Records that a connection accepts more requests than an earlier one.
    mutating func recordAllowance(_ allowance: Int) {
        if let known = requestAllowance { requestAllowance = allowance == .max ? nil : max(known, allowance) }
    }

    /// Records that the server requires HTTP/1.1.
    mutating func recordHTTP1Required() { (refusals, errors, earliestConnectTime) = (0, 0, .zero) }

    // MARK: Pauses

    /// Returns the delay before the next connect attempt after connections that the server has ended with an error before it
    /// processed a request.
    private static func pause(afterRefusals count: Int) -> Duration { .milliseconds(100 << min(count - 1, 4)) }

    /// Returns the delay before the next connect attempt: zero after the first failure in a row, at most one second.
    private static func pause(afterFailures failures: Int) -> Duration {
        failures < 2 ? .zero : min(.milliseconds(50 << min(failures - 2, 5)), .seconds(1))
    }

    /// Returns the delay before a further connection: one second after the first failed one, at most a minute.
    private static func pause(afterFurther count: Int) -> Duration {
        min(.seconds(1 << min(count - 1, 6)), .seconds(60))
    }
}
