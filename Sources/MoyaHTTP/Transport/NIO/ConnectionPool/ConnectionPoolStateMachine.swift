/// The state machine of the connection pool for one origin.
///
/// Requests and connections are numbers, and the current time is passed in. An HTTP/1.1 connection carries one
/// request at a time, and the number of connections is limited. An HTTP/2 connection carries as many requests as
/// the server allows. While the version is unknown, only one connection is opened, and a second one if the first is not
/// ready after ``secondAttemptDelay``.
struct ConnectionPoolStateMachine: Sendable {
    typealias ConnectionID = Int
    typealias RequestID = Int

    enum Action: Equatable, Sendable {
        /// Send a waiting request.
        case run(RequestID, on: ConnectionID)
        /// Open a connection.
        case open(ConnectionID)
        /// Close an unused connection, or cancel an attempt.
        case close(ConnectionID)
        /// Fail a request with the error of the last connection attempt.
        case fail(RequestID)
    }

    /// The handling of a new request.
    enum EnqueueResult: Equatable, Sendable {
        case run(on: ConnectionID)
        /// The request waits; perform these actions.
        case wait([Action])
    }

    private enum Version: Sendable { case unknown, http1, http2 }

    /// The history of a request, which determines its place.
    enum Origin: Equatable, Sendable {
        case new
        /// Its connection was lost, or the server did not process it; `age` is the time since it was first made.
        case resent(age: Duration)
        /// Its connection was closed before any of it was sent.
        case returned
    }

    private struct Idle: Sendable {
        let id: ConnectionID
        let since: Duration
        /// The time at which it is closed.
        let deadline: Duration
        /// The number of its responses.
        var responses = 0

        func use(at now: Duration) -> StaleConnections.Use { .init(idle: now - since, responses: responses) }
    }

    private struct Attempt: Sendable {
        let id: ConnectionID
        /// The last request that arrived before the attempt.
        let lastRequest: RequestID
        /// Whether the attempt continues without a request that waits for it.
        var isPreconnected = false
        /// The time at which it began to connect, after the lookup of the host name.
        var connectingSince: Duration?
        /// Whether it is the first or the second of two attempts of which one connection is expected.
        var isOneOfTwo = false
    }

    /// An HTTP/2 connection.
    private struct Shared: Sendable {
        let id: ConnectionID
        var streams = 0
        var limit: Int
        var idleSince: Duration
        /// Whether the server accepts no more requests on the connection (RFC 9113, section 6.8).
        var isGoingAway = false
        /// Whether the server responds.
        ///
        /// While that is in doubt, no requests are sent.
        var isResponsive = true
        /// The number of requests that were sent.
        var sent = 0
        /// The number of requests that the server is expected to accept.
        var allowance: Int
        /// The time at which the last of them was sent.
        var exhaustedAt: Duration?

        /// Whether requests should wait for this connection rather than for another one.
        var isUsable: Bool { !isGoingAway && isResponsive && sent < allowance }
        var hasRoom: Bool { isUsable && streams < limit }
        /// Whether the server may accept no more requests, but has not reported so.
        var isExhausted: Bool { !isGoingAway && sent >= allowance }

        mutating func take(at now: Duration) {
            streams += 1
            sent += 1
            if sent == allowance { exhaustedAt = now }
        }

        /// Allows more requests, since the server still accepts them.
        mutating func extend() {
            allowance = allowance > ConnectionPoolStateMachine.largestAllowance / 2 ? .max : allowance * 2
            exhaustedAt = nil
        }
    }

    /// The reason why an HTTP/2 connection accepts no more requests.
    struct Departure: Equatable, Sendable {
        /// The number of requests on the connection that the server processes; `nil` if it is unknown.
        var processed: Int?
        /// The number of running requests that the server does not process.
        var refused = 0
        /// Whether the server has reported an error, which other connections would probably meet, too.
        var isError = false
    }

    /// The time after which a second attempt is started while requests wait for the first one, as for addresses in
    /// RFC 8305, section 5.
    static let secondAttemptDelay = Duration.milliseconds(250)
    /// The number of requests on a connection from which there is no limit.
    private static let largestAllowance = 1_000
    /// The time after which a server that has not reported anything is expected to accept more requests.
    private static let allowanceTime = Duration.seconds(1)
    /// The number of connections in a row without a processed request after which waiting requests fail, if the server
    /// reports errors.
    static let maximumRefusals = 5

    private let limit: Int
    private let idleTimeout: Duration
    private let secondAttemptDelay: Duration?
    private var version: Version
    private var lastRequest = 0
    private var lastConnection = 0
    /// The waiting requests in the order of arrival, which is that of their numbers.
    private var waiting = RequestQueue()
    /// The requests that are sent again, the oldest first.
    ///
    /// They get priority and, over HTTP/1.1, a new connection, since an idle one may be stale, too.
    private var resent = AgedRequestQueue()
    /// The requests whose connection was closed before any of them was sent.
    ///
    /// They get priority over those that have just arrived.
    private var returned = RequestQueue()
    private var attempts: [Attempt] = []
    /// The idle HTTP/1.1 connections by last use.
    ///
    /// The most recently used one is used next, so that excess connections time out.
    private var idle: [Idle] = []
    /// The HTTP/1.1 connections with a request, with their use before it.
    private var busy: [ConnectionID: StaleConnections.Use] = [:]
    private var stale = StaleConnections()
    private var shared: [Shared] = []
    /// The number of failed attempts since the last successful one.
    private var failures = 0
    /// The time before which no attempt is started.
    private var nextAttemptTime = Duration.zero
    /// The number of requests that a recent HTTP/2 connection accepted before the server refused others; `nil` for no
    /// limit.
    private var allowance: Int?
    /// The number of HTTP/2 connections in a row on which the server has processed no request.
    private var refusals = 0
    /// The time of the last change of ``allowance`` or ``refusals``.
    private var refusedAt = Duration.zero
    /// Whether the server requires HTTP/1.1 (RFC 9113, section 7).
    private var requiresHTTP1 = false

    /// Creates the state of a pool.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of HTTP/1.1 connections.
    ///   - maySpeakHTTP2: Whether HTTP/2 may be negotiated.
    ///   - idleTimeout: The time after which an idle connection is closed.
    ///   - secondAttemptDelay: The time after which a second attempt is started, or `nil`.
    init(
        limit: Int,
        maySpeakHTTP2: Bool,
        idleTimeout: Duration,
        secondAttemptDelay: Duration? = Self.secondAttemptDelay
    ) {
        // A second attempt could become a connection beyond the limit.
        self.secondAttemptDelay = limit > 1 ? secondAttemptDelay : nil
        self.limit = max(1, limit)
        self.idleTimeout = idleTimeout
        version = maySpeakHTTP2 ? .unknown : .http1
    }

    /// The number of requests that wait for a connection.
    var waitingCount: Int { waiting.count + resent.count + returned.count }

    /// Whether the server has refused all requests on several connections in a row with an error.
    ///
    /// A refused request should then fail.
    private(set) var refusesAll = false

    /// Whether there is a connection, in use or not, that may become available to a waiting request.
    ///
    /// Without one, requests wait for attempts only.
    var hasConnection: Bool {
        !busy.isEmpty || !idle.isEmpty || shared.contains { $0.isUsable && $0.limit > 0 }
    }

    /// Whether there is nothing to remember: no connection, attempt or request, and no recent failure.
    var isUnused: Bool { isEmpty && !isRemembering }

    /// Whether failed attempts or refused requests influence the next connections.
    private var isRemembering: Bool { failures > 0 || refusals > 0 || allowance != nil }

    /// The time at which they are forgotten, if there are no connections and requests.
    private var memoryEnd: Duration {
        let end = nextAttemptTime + Self.failureMemory
        return refusals > 0 || allowance != nil ? max(end, refusedAt + Self.refusalMemory) : end
    }

    private var isEmpty: Bool {
        waitingCount == 0 && attempts.isEmpty && idle.isEmpty && busy.isEmpty && shared.isEmpty
    }

    /// The number of HTTP/1.1 connections or HTTP/2 streams for one of which requests wait.
    var capacity: (count: Int, isStreams: Bool) {
        guard let streams = shared.lazy.filter(\.isUsable).map(\.limit).max() else { return (limit, false) }
        return (streams, true)
    }

    // MARK: Requests

    /// Handles a new request, and assigns its number.
    ///
    /// `isRepeatable` is whether it can be sent again if it is lost with its connection.
    mutating func enqueue(
        _ origin: Origin = .new,
        isRepeatable: Bool = true,
        at now: Duration
    ) -> (RequestID, EnqueueResult) {
        lastRequest += 1
        let request = lastRequest
        if case .resent = origin {
            // No idle connection.
        } else if let connection = takeIdle(isRepeatable: isRepeatable, at: now) {
            return (request, .run(on: connection))
        }
        if let index = shared.firstIndex(where: \.hasRoom) {
            shared[index].take(at: now)
            return (request, .run(on: shared[index].id))
        }
        switch origin {
        case .new: waiting.append(request)
        case .resent(let age): resent.append(request, since: now - age)
        case .returned: returned.append(request)
        }
        var actions = closeExpired(at: now)
        if !isRepeatable, attempts.count < waitingCount, version == .http1, connections >= limit, !idle.isEmpty {
            // The idle connections may be stale: one makes room.
            actions.append(.close(idle.removeFirst().id))
        }
        return (request, .wait(actions + startAttempts(at: now)))
    }

    /// Returns the idle connection that was used last; for a request that cannot be sent again, one that the server is not
    /// expected to close.
    private mutating func takeIdle(isRepeatable: Bool, at now: Duration) -> ConnectionID? {
        var index = idle.endIndex - 1
        while index >= 0 {
            let use = idle[index].use(at: now)
            if now < idle[index].deadline, isRepeatable || !stale.isSuspect(use, at: now) {
                let connection = idle.remove(at: index)
                busy[connection.id] = use
                return connection.id
            }
            index -= 1
        }
        return nil
    }

    /// Handles a waiting request that was cancelled or timed out.
    ///
    /// An attempt for which no request waits is cancelled. So is an attempt for which a request has waited until
    /// its timeout, since it may never complete: the other waiting requests get another one.
    mutating func cancelRequest(_ request: RequestID, timedOut: Bool, at now: Duration) -> [Action] {
        guard waiting.remove(request) || resent.remove(request) || returned.remove(request) else { return [] }
        var actions: [Action] = []
        if timedOut, let index = attempts.firstIndex(where: { $0.lastRequest >= request }) {
            actions.append(.close(attempts.remove(at: index).id))
            // The other one of two may be replaced, too.
            for index in attempts.indices { attempts[index].isOneOfTwo = false }
        } else if wantedAttempts < attempts.count, let index = attempts.firstIndex(where: { !$0.isPreconnected }) {
            actions.append(.close(attempts.remove(at: index).id))
        }
        if version != .http1, waitingCount == 0 { actions += closeUnwantedAttempts() }
        return actions + startAttempts(at: now)
    }

    // MARK: Preconnecting

    /// Returns whether there are as many connections, in use or not, or as many as are allowed.
    ///
    /// One over HTTP/2 is enough.
    func hasConnections(_ count: Int) -> Bool {
        shared.contains(where: \.isUsable) || idle.count + busy.count >= min(count, limit)
    }

    /// Starts attempts until there are as many connections, even if no request waits for them.
    mutating func preconnect(_ count: Int) -> [Action] {
        guard !hasConnections(count) else { return [] }
        // One attempt shows the version.
        let missing = version == .http1 ? min(count, limit) - idle.count - busy.count : 1
        for index in attempts.indices.prefix(missing) { attempts[index].isPreconnected = true }
        var actions: [Action] = []
        while attempts.count < missing {
            lastConnection += 1
            attempts.append(Attempt(id: lastConnection, lastRequest: lastRequest, isPreconnected: true))
            actions.append(.open(lastConnection))
        }
        return actions
    }

    /// Cancels the attempts that no request waits for, because nothing is to be preconnected any more.
    mutating func cancelPreconnect() -> [Action] {
        for index in attempts.indices { attempts[index].isPreconnected = false }
        let excess = attempts.suffix(max(0, attempts.count - wantedAttempts))
        attempts.removeLast(excess.count)
        return excess.map { .close($0.id) }
    }

    // MARK: Connections

    /// Handles an attempt that has the addresses of the host, and begins to connect.
    ///
    /// It changes ``nextDeadline`` only: another attempt would wait for the same lookup.
    mutating func connecting(_ id: ConnectionID, at now: Duration) -> [Action] {
        if let index = attempts.firstIndex(where: { $0.id == id }) { attempts[index].connectingSince = now }
        return []
    }

    /// Handles an attempt that has become an HTTP/1.1 connection.
    mutating func connectedHTTP1(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let attempt = removeAttempt(id) else { return [.close(id)] }
        version = .http1
        (failures, nextAttemptTime) = (0, .zero)
        guard let request = popWaiting() else {
            idle.append(Idle(id: id, since: now, deadline: now + idleTimeout))
            return attempt.isOneOfTwo ? closeUnwantedAttempts() : []
        }
        busy[id] = .init(responses: 0)
        return [.run(request, on: id)] + (attempt.isOneOfTwo ? closeUnwantedAttempts() : []) + startAttempts(at: now)
    }

    /// Handles an attempt that has become an HTTP/2 connection.
    ///
    /// `streams` is the maximum number of streams until the server has sent its limit.
    mutating func connectedHTTP2(_ id: ConnectionID, streams: Int, at now: Duration) -> [Action] {
        guard removeAttempt(id) != nil else { return [.close(id)] }
        version = .http2
        failures = 0
        // A server that refuses all requests accepts connections, too.
        if refusals == 0 { nextAttemptTime = .zero }
        shared.append(Shared(id: id, limit: streams, idleSince: now, allowance: allowance ?? .max))
        // Other attempts are not needed.
        let closing = attempts.map { Action.close($0.id) }
        attempts = []
        return runWaiting(at: now) + closing
    }

    /// Handles a failed attempt.
    ///
    /// Requests that arrived before the attempt fail, unless another connection or attempt is available.
    mutating func failed(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let attempt = removeAttempt(id) else { return [] }
        failures += 1
        nextAttemptTime = now + Self.pause(after: failures)
        var actions: [Action] = []
        if attempts.isEmpty, idle.isEmpty, busy.isEmpty, !shared.contains(where: { $0.isUsable || $0.isExhausted }) {
            actions += resent.removeAll(upTo: attempt.lastRequest).map { .fail($0) }
            while let request = returned.popFirst(upTo: attempt.lastRequest) { actions.append(.fail(request)) }
            while let request = waiting.popFirst(upTo: attempt.lastRequest) { actions.append(.fail(request)) }
        }
        return actions + startAttempts(at: now)
    }

    /// Handles the end of an exchange on an HTTP/1.1 connection, which can be reused.
    ///
    /// `keepAlive` is the time for which the server keeps it open, if it has said so.
    mutating func freed(_ id: ConnectionID, keepAlive: Duration? = nil, at now: Duration) -> [Action] {
        guard let use = busy.removeValue(forKey: id) else { return [] }
        stale.recordResponse(after: use)
        let responses = use.responses + 1
        let isExhausted = waitingCount > 0 && stale.hasServedAll(responses, at: now)
        if isExhausted || (resent.count > attempts.count && connections >= limit - 1) {
            // Its place is needed for a new connection.
            return [.close(id)] + startAttempts(at: now)
        }
        if let request = returned.popFirst() ?? waiting.popFirst() {
            busy[id] = .init(responses: responses)
            return [.run(request, on: id)]
        }
        let time = min(idleTimeout, keepAlive.map { Self.idleTime(forKeepAlive: $0) } ?? idleTimeout)
        guard time > .zero else { return [.close(id)] }
        idle.append(Idle(id: id, since: now, deadline: now + time, responses: responses))
        return []
    }

    /// Returns the time for which a connection is used, which is a little shorter than the server keeps it open.
    private static func idleTime(forKeepAlive time: Duration) -> Duration { time - min(.seconds(1), time / 4) }

    /// Handles the end of an exchange on an HTTP/2 stream.
    ///
    /// `number` is that of the stream among those of the connection, if its response is complete.
    mutating func streamEnded(on id: ConnectionID, number: Int? = nil, at now: Duration) -> [Action] {
        guard let index = shared.firstIndex(where: { $0.id == id }) else { return [] }
        shared[index].streams -= 1
        shared[index].idleSince = now
        if let number {
            (refusals, refusesAll) = (0, false)
            if number >= shared[index].allowance { extendAllowance(at: index) }
        }
        if shared[index].streams == 0, shared[index].isGoingAway {
            shared.remove(at: index)
            return [.close(id)]
        }
        return runWaiting(at: now)
    }

    /// Handles a request that was not sent on an HTTP/2 connection.
    mutating func streamUnsent(on id: ConnectionID, at now: Duration) -> [Action] {
        if let index = shared.firstIndex(where: { $0.id == id }) {
            shared[index].sent -= 1
            if shared[index].sent < shared[index].allowance { shared[index].exhaustedAt = nil }
        }
        return streamEnded(on: id, at: now)
    }

    /// Allows more requests on a connection and on later ones: the server accepts more than an earlier one did.
    private mutating func extendAllowance(at index: Int) {
        guard !shared[index].isGoingAway else { return }
        shared[index].extend()
        if let known = allowance {
            allowance = shared[index].allowance == .max ? nil : max(known, shared[index].allowance)
        }
    }

    /// Handles the maximum number of streams of an HTTP/2 connection.
    mutating func allowsStreams(_ count: Int, on id: ConnectionID, at now: Duration) -> [Action] {
        guard let index = shared.firstIndex(where: { $0.id == id }) else { return [] }
        shared[index].limit = count
        return runWaiting(at: now)
    }

    /// Handles an HTTP/2 connection on which the server accepts no more requests.
    ///
    /// If it has refused some, no more are sent on later connections than it has processed on this one, until it accepts
    /// more. After connections on which it has processed none, the next ones are delayed, and after
    /// ``maximumRefusals`` with an error the waiting requests fail.
    mutating func goingAway(_ id: ConnectionID, _ departure: Departure = Departure(), at now: Duration) -> [Action] {
        guard let index = shared.firstIndex(where: { $0.id == id }) else { return [] }
        shared[index].isGoingAway = true
        var actions: [Action] = []
        if shared[index].streams == 0 {
            shared.remove(at: index)
            actions.append(.close(id))
        }
        if let processed = departure.processed {
            refusedAt = now
            if departure.refused > 0 { allowance = max(1, processed) }
            if processed == 0, departure.refused > 0 || departure.isError {
                refusals += 1
                let pause =
                    departure.isError ? Self.pause(afterRefusals: refusals) : Self.pause(after: refusals)
                nextAttemptTime = max(nextAttemptTime, now + pause)
                refusesAll = departure.isError && refusals >= Self.maximumRefusals
                if refusesAll { while let request = popWaiting() { actions.append(.fail(request)) } }
            }
        }
        return actions + startAttempts(at: now)
    }

    /// Handles a server that requires HTTP/1.1: later connections offer nothing else.
    mutating func serverRequiresHTTP1(at now: Duration) -> [Action] {
        guard !requiresHTTP1 else { return [] }
        requiresHTTP1 = true
        version = .http1
        (refusals, refusesAll, nextAttemptTime) = (0, false, .zero)
        for index in shared.indices { shared[index].isGoingAway = true }
        let closing = shared.filter { $0.streams == 0 }.map(\.id) + attempts.map(\.id)
        shared.removeAll { $0.streams == 0 }
        attempts = []
        return closing.map { .close($0) } + startAttempts(at: now)
    }

    /// Handles a change of whether the server of an HTTP/2 connection responds.
    mutating func isResponsive(_ isResponsive: Bool, _ id: ConnectionID, at now: Duration) -> [Action] {
        guard let index = shared.firstIndex(where: { $0.id == id }) else { return [] }
        shared[index].isResponsive = isResponsive
        return isResponsive ? runWaiting(at: now) : startAttempts(at: now)
    }

    /// Handles a connection that is closed or closing, in use or not.
    ///
    /// `isStale` is whether the server has closed it before it responded to a request that followed another one.
    mutating func closed(_ id: ConnectionID, isStale: Bool = false, at now: Duration) -> [Action] {
        if let use = busy.removeValue(forKey: id) {
            if isStale { stale.recordClose(use, at: now) }
        } else {
            for connection in idle where connection.id == id { stale.recordClose(connection.use(at: now), at: now) }
            idle.removeAll { $0.id == id }
            shared.removeAll { $0.id == id }
            attempts.removeAll { $0.id == id }
        }
        return startAttempts(at: now)
    }

    /// Closes all idle connections, because a request on a reused HTTP/1.1 connection got no response.
    ///
    /// The idle connections may be stale, too.
    mutating func closeIdleConnections() -> [Action] {
        defer { idle = [] }
        return idle.map { .close($0.id) }
    }

    /// Returns whether an open connection has no request.
    func isIdle(_ id: ConnectionID) -> Bool {
        if idle.last?.id == id { return true }
        return idle.contains { $0.id == id } || shared.contains { $0.id == id && $0.streams == 0 }
    }

    /// Closes a connection if it is idle, because others are needed more.
    mutating func giveUp(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard isIdle(id) else { return [] }
        idle.removeAll { $0.id == id }
        shared.removeAll { $0.id == id }
        return [.close(id)] + startAttempts(at: now)
    }

    // MARK: Time

    /// The time for which failures are remembered after the pause that they cause.
    private static let failureMemory = Duration.seconds(1)
    /// The time for which refused requests are remembered; the session sends them again within it.
    private static let refusalMemory = Duration.seconds(10)

    /// The time of the next call of ``expire(at:)``, if any.
    var nextDeadline: Duration? {
        var next: Duration?
        func consider(_ time: Duration) { next = next.map { min($0, time) } ?? time }
        for connection in idle { consider(connection.deadline) }
        for connection in shared where connection.streams == 0 { consider(connection.idleSince + idleTimeout) }
        if let time = timeOfNextAttempt, time > .zero { consider(time) }
        if isRemembering, isEmpty { consider(memoryEnd) }
        if waitingCount > 0 {
            for connection in shared where connection.isExhausted {
                if let time = connection.exhaustedAt { consider(time + Self.allowanceTime) }
            }
        }
        return next
    }

    /// Closes connections whose idle timeout has expired, starts attempts that were delayed by earlier failures, and
    /// forgets old failures.
    mutating func expire(at now: Duration) -> [Action] {
        var actions = closeExpired(at: now)
        for index in shared.indices where shared[index].isExhausted {
            if let time = shared[index].exhaustedAt, now - time >= Self.allowanceTime { extendAllowance(at: index) }
        }
        shared.removeAll { connection in
            guard connection.streams == 0, now - connection.idleSince >= idleTimeout else { return false }
            actions.append(.close(connection.id))
            return true
        }
        if isRemembering, isEmpty, now >= memoryEnd {
            (failures, nextAttemptTime) = (0, .zero)
            (refusals, refusesAll, allowance) = (0, false, nil)
        }
        return actions + runWaiting(at: now) + startAttempts(at: now)
    }

    private mutating func closeExpired(at now: Duration) -> [Action] {
        guard idle.contains(where: { now >= $0.deadline }) else { return [] }
        defer { idle.removeAll { now >= $0.deadline } }
        return idle.filter { now >= $0.deadline }.map { .close($0.id) }
    }

    // MARK: Private

    /// The number of HTTP/1.1 connections, in use or not.
    private var connections: Int { attempts.count + idle.count + busy.count }

    /// Removes the next waiting request.
    private mutating func popWaiting() -> RequestID? { resent.popFirst() ?? returned.popFirst() ?? waiting.popFirst() }

    /// Runs waiting requests on HTTP/2 connections with room.
    private mutating func runWaiting(at now: Duration) -> [Action] {
        var actions: [Action] = []
        while waitingCount > 0, let index = shared.firstIndex(where: \.hasRoom), let request = popWaiting() {
            shared[index].take(at: now)
            actions.append(.run(request, on: shared[index].id))
        }
        return waitingCount > 0 ? actions + startAttempts(at: now) : actions
    }

    /// The maximum number of attempts that the waiting requests need.
    private var wantedAttempts: Int { version == .http1 ? waitingCount : min(waitingCount, 1) * max(1, attempts.count) }

    /// The earliest time at which an attempt should be started; `nil` if no other one is needed.
    private var timeOfNextAttempt: Duration? {
        guard version != .http1 else {
            guard attempts.count < waitingCount else { return nil }
            return connections < limit || (resent.count > attempts.count && !idle.isEmpty) ? nextAttemptTime : nil
        }
        guard waitingCount > 0, !shared.contains(where: \.isUsable),
            shared.count(where: \.isExhausted) < (refusals == 0 ? limit : 1)
        else { return nil }
        guard let first = attempts.first else { return nextAttemptTime }
        guard attempts.count == 1, !first.isOneOfTwo, let since = first.connectingSince, let secondAttemptDelay else {
            return nil
        }
        return max(nextAttemptTime, since + secondAttemptDelay)
    }

    private mutating func startAttempts(at now: Duration) -> [Action] {
        var actions: [Action] = []
        while let time = timeOfNextAttempt, now >= time {
            let isSecond = version != .http1 && !attempts.isEmpty
            if isSecond { attempts[0].isOneOfTwo = true }
            if version == .http1, connections >= limit { actions.append(.close(idle.removeFirst().id)) }
            lastConnection += 1
            attempts.append(Attempt(id: lastConnection, lastRequest: lastRequest, isOneOfTwo: isSecond))
            actions.append(.open(lastConnection))
            // Only one attempt at a time after a failure.
            if failures > 0 { break }
        }
        return actions
    }

    /// Returns the delay before the next attempt after connections that the server has ended with an error before it
    /// processed a request.
    private static func pause(afterRefusals count: Int) -> Duration { .milliseconds(100 << min(count - 1, 4)) }

    /// Returns the delay before the next attempt: zero after the first failure in a row, at most one second.
    private static func pause(after failures: Int) -> Duration {
        failures < 2 ? .zero : min(.milliseconds(50 << min(failures - 2, 5)), .seconds(1))
    }

    /// Cancels the attempts beyond those that requests wait for, the oldest ones first.
    private mutating func closeUnwantedAttempts() -> [Action] {
        var actions: [Action] = []
        while attempts.count > waitingCount, let index = attempts.firstIndex(where: { !$0.isPreconnected }) {
            actions.append(.close(attempts.remove(at: index).id))
        }
        return actions
    }

    private mutating func removeAttempt(_ id: ConnectionID) -> Attempt? {
        attempts.firstIndex { $0.id == id }.map { attempts.remove(at: $0) }
    }
}

/// A queue of ascending numbers.
struct RequestQueue: Sendable {
    private var numbers: [Int] = []
    /// The index of the first number in the queue.
    private var start = 0

    var count: Int { numbers.count - start }

    mutating func append(_ number: Int) { numbers.append(number) }

    mutating func popFirst(upTo limit: Int = .max) -> Int? {
        guard start < numbers.count, numbers[start] <= limit else { return nil }
        let first = numbers[start]
        start += 1
        if start == numbers.count {
            numbers.removeAll(keepingCapacity: start < 64)
            start = 0
        } else if start >= 64, start * 2 >= numbers.count {
            numbers.removeFirst(start)
            start = 0
        }
        return first
    }

    /// Removes a number; returns whether it was in the queue.
    mutating func remove(_ number: Int) -> Bool {
        var (low, high) = (start, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        guard low < numbers.count, numbers[low] == number else { return false }
        numbers.remove(at: low)
        return true
    }
}

/// A queue of requests by the time at which they were first made.
struct AgedRequestQueue: Sendable {
    private var requests: [(number: Int, since: Duration)] = []

    var count: Int { requests.count }

    mutating func append(_ number: Int, since: Duration) {
        // Usually one of the youngest.
        var index = requests.endIndex
        while index > 0, requests[index - 1].since > since { index -= 1 }
        requests.insert((number, since), at: index)
    }

    mutating func popFirst() -> Int? { requests.isEmpty ? nil : requests.removeFirst().number }

    /// Removes all requests with numbers up to a limit, and returns them in their order.
    mutating func removeAll(upTo limit: Int) -> [Int] {
        defer { requests.removeAll { $0.number <= limit } }
        return requests.filter { $0.number <= limit }.map(\.number)
    }

    /// Removes a request; returns whether it was in the queue.
    mutating func remove(_ number: Int) -> Bool {
        guard let index = requests.firstIndex(where: { $0.number == number }) else { return false }
        requests.remove(at: index)
        return true
    }
}
