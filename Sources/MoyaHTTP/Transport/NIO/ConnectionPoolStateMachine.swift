/// The state machine of the connection pool for one origin.
///
/// Requests and connections are numbers, and the current time is passed in. An HTTP/1.1 connection carries one
/// request at a time, and the number of connections is limited. An HTTP/2 connection carries as many requests as
/// the server allows. While the version is unknown, only one connection is opened.
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

    private struct Idle: Sendable {
        let id: ConnectionID
        let since: Duration
    }

    private struct Attempt: Sendable {
        let id: ConnectionID
        /// The last request that arrived before the attempt.
        let lastRequest: RequestID
        /// Whether the attempt continues without a request that waits for it.
        var isPreconnected = false
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

        /// Whether requests should wait for this connection rather than for another one.
        var isUsable: Bool { !isGoingAway && isResponsive }
        var hasRoom: Bool { isUsable && streams < limit }
    }

    private let limit: Int
    private let idleTimeout: Duration
    private var version: Version
    private var lastRequest = 0
    private var lastConnection = 0
    /// The waiting requests in the order of arrival, which is that of their numbers.
    private var waiting = RequestQueue()
    /// The requests that are sent again.
    ///
    /// They get priority and, over HTTP/1.1, a new connection, since an idle one may be stale, too.
    private var resent = RequestQueue()
    private var attempts: [Attempt] = []
    /// The idle HTTP/1.1 connections by last use.
    ///
    /// The most recently used one is used next, so that excess connections time out.
    private var idle: [Idle] = []
    /// The HTTP/1.1 connections with a request.
    private var busy: Set<ConnectionID> = []
    private var shared: [Shared] = []
    /// The number of failed attempts since the last successful one.
    private var failures = 0
    /// The time before which no attempt is started.
    private var nextAttemptTime = Duration.zero

    /// Creates the state of a pool.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of HTTP/1.1 connections.
    ///   - maySpeakHTTP2: Whether HTTP/2 may be negotiated.
    ///   - idleTimeout: The time after which an idle connection is closed.
    init(limit: Int, maySpeakHTTP2: Bool, idleTimeout: Duration) {
        self.limit = max(1, limit)
        self.idleTimeout = idleTimeout
        version = maySpeakHTTP2 ? .unknown : .http1
    }

    /// The number of requests that wait for a connection.
    var waitingCount: Int { waiting.count + resent.count }

    // MARK: Requests

    /// Handles a new request, and assigns its number.
    ///
    /// `isResent` is whether it was sent before, and its connection was lost or the server did not process it.
    mutating func enqueue(isResent: Bool = false, at now: Duration) -> (RequestID, EnqueueResult) {
        lastRequest += 1
        let request = lastRequest
        if !isResent, let connection = idle.popLast() {
            busy.insert(connection.id)
            return (request, .run(on: connection.id))
        }
        if let index = shared.firstIndex(where: \.hasRoom) {
            shared[index].streams += 1
            return (request, .run(on: shared[index].id))
        }
        if isResent { resent.append(request) } else { waiting.append(request) }
        return (request, .wait(startAttempts(at: now)))
    }

    /// Handles a waiting request that was cancelled or timed out.
    ///
    /// An attempt for which no request waits is cancelled. So is an attempt for which a request has waited until
    /// its timeout, since it may never complete: the other waiting requests get another one.
    mutating func cancelRequest(_ request: RequestID, timedOut: Bool, at now: Duration) -> [Action] {
        guard waiting.remove(request) || resent.remove(request) else { return [] }
        let index =
            timedOut
            ? attempts.firstIndex { $0.lastRequest >= request }
            : waitingCount < attempts.count ? attempts.firstIndex { !$0.isPreconnected } : nil
        guard let index else { return [] }
        return [.close(attempts.remove(at: index).id)] + startAttempts(at: now)
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
        let excess = attempts.suffix(max(0, attempts.count - waitingCount))
        attempts.removeLast(excess.count)
        return excess.map { .close($0.id) }
    }

    // MARK: Connections

    /// Handles an attempt that has become an HTTP/1.1 connection.
    mutating func connectedHTTP1(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard removeAttempt(id) != nil else { return [.close(id)] }
        version = .http1
        (failures, nextAttemptTime) = (0, .zero)
        guard let request = resent.popFirst() ?? waiting.popFirst() else {
            idle.append(Idle(id: id, since: now))
            return []
        }
        busy.insert(id)
        return [.run(request, on: id)] + startAttempts(at: now)
    }

    /// Handles an attempt that has become an HTTP/2 connection.
    ///
    /// `streams` is the maximum number of streams until the server has sent its limit.
    mutating func connectedHTTP2(_ id: ConnectionID, streams: Int, at now: Duration) -> [Action] {
        guard removeAttempt(id) != nil else { return [.close(id)] }
        version = .http2
        (failures, nextAttemptTime) = (0, .zero)
        shared.append(Shared(id: id, limit: streams, idleSince: now))
        // Other attempts are not needed.
        let closing = attempts.map { Action.close($0.id) }
        attempts = []
        return runWaiting() + closing
    }

    /// Handles a failed attempt.
    ///
    /// Requests that arrived before the attempt fail, unless another connection or attempt is available.
    mutating func failed(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let attempt = removeAttempt(id) else { return [] }
        failures += 1
        nextAttemptTime = now + Self.pause(after: failures)
        var actions: [Action] = []
        if attempts.isEmpty, idle.isEmpty, busy.isEmpty, !shared.contains(where: \.isUsable) {
            while let request = resent.popFirst(upTo: attempt.lastRequest) { actions.append(.fail(request)) }
            while let request = waiting.popFirst(upTo: attempt.lastRequest) { actions.append(.fail(request)) }
        }
        return actions + startAttempts(at: now)
    }

    /// Handles the end of an exchange on an HTTP/1.1 connection, which can be reused.
    mutating func freed(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard busy.remove(id) != nil else { return [] }
        if resent.count > attempts.count, connections >= limit - 1 {
            // Its place is needed for a new connection.
            return [.close(id)] + startAttempts(at: now)
        }
        if let request = waiting.popFirst() {
            busy.insert(id)
            return [.run(request, on: id)]
        }
        idle.append(Idle(id: id, since: now))
        return []
    }

    /// Handles the end of an exchange on an HTTP/2 stream.
    mutating func streamEnded(on id: ConnectionID, at now: Duration) -> [Action] {
        guard let index = shared.firstIndex(where: { $0.id == id }) else { return [] }
        shared[index].streams -= 1
        shared[index].idleSince = now
        if shared[index].streams == 0, shared[index].isGoingAway {
            shared.remove(at: index)
            return [.close(id)]
        }
        return runWaiting()
    }

    /// Handles the maximum number of streams of an HTTP/2 connection.
    mutating func allowsStreams(_ count: Int, on id: ConnectionID) -> [Action] {
        guard let index = shared.firstIndex(where: { $0.id == id }) else { return [] }
        shared[index].limit = count
        return runWaiting()
    }

    /// Handles an HTTP/2 connection on which the server accepts no more requests.
    mutating func goingAway(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let index = shared.firstIndex(where: { $0.id == id }) else { return [] }
        shared[index].isGoingAway = true
        guard shared[index].streams == 0 else { return startAttempts(at: now) }
        shared.remove(at: index)
        return [.close(id)] + startAttempts(at: now)
    }

    /// Handles a change of whether the server of an HTTP/2 connection responds.
    mutating func isResponsive(_ isResponsive: Bool, _ id: ConnectionID, at now: Duration) -> [Action] {
        guard let index = shared.firstIndex(where: { $0.id == id }) else { return [] }
        shared[index].isResponsive = isResponsive
        return isResponsive ? runWaiting() : startAttempts(at: now)
    }

    /// Handles a connection that is closed or closing, in use or not.
    mutating func closed(_ id: ConnectionID, at now: Duration) -> [Action] {
        if busy.remove(id) == nil {
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

    // MARK: Time

    /// The time of the next call of ``expire(at:)``, if any.
    var nextDeadline: Duration? {
        var next: Duration?
        func consider(_ time: Duration) { next = next.map { min($0, time) } ?? time }
        if let oldest = idle.first { consider(oldest.since + idleTimeout) }
        for connection in shared where connection.streams == 0 { consider(connection.idleSince + idleTimeout) }
        if nextAttemptTime > .zero, wantsAttempt { consider(nextAttemptTime) }
        return next
    }

    /// Closes connections whose idle timeout has expired, and starts attempts that were delayed by earlier
    /// failures.
    mutating func expire(at now: Duration) -> [Action] {
        let fresh = idle.firstIndex { now - $0.since < idleTimeout } ?? idle.endIndex
        var actions = idle[..<fresh].map { Action.close($0.id) }
        idle.removeFirst(fresh)
        shared.removeAll { connection in
            guard connection.streams == 0, now - connection.idleSince >= idleTimeout else { return false }
            actions.append(.close(connection.id))
            return true
        }
        return actions + startAttempts(at: now)
    }

    // MARK: Private

    /// The number of HTTP/1.1 connections, in use or not.
    private var connections: Int { attempts.count + idle.count + busy.count }

    /// Runs waiting requests on HTTP/2 connections with room.
    private mutating func runWaiting() -> [Action] {
        var actions: [Action] = []
        while waitingCount > 0, let index = shared.firstIndex(where: \.hasRoom),
            let request = resent.popFirst() ?? waiting.popFirst()
        {
            shared[index].streams += 1
            actions.append(.run(request, on: shared[index].id))
        }
        return actions
    }

    /// Whether an attempt should be started when the delay has passed.
    private var wantsAttempt: Bool {
        guard attempts.count < waitingCount else { return false }
        guard version == .http1 else { return attempts.isEmpty && !shared.contains(where: \.isUsable) }
        return connections < limit || (resent.count > attempts.count && !idle.isEmpty)
    }

    private mutating func startAttempts(at now: Duration) -> [Action] {
        var actions: [Action] = []
        while now >= nextAttemptTime, wantsAttempt {
            if version == .http1, connections >= limit { actions.append(.close(idle.removeFirst().id)) }
            lastConnection += 1
            attempts.append(Attempt(id: lastConnection, lastRequest: lastRequest))
            actions.append(.open(lastConnection))
            // Only one attempt at a time after a failure.
            if failures > 0 { break }
        }
        return actions
    }

    /// Returns the delay before the next attempt: zero after the first failure in a row, at most one second.
    private static func pause(after failures: Int) -> Duration {
        failures < 2 ? .zero : min(.milliseconds(50 << min(failures - 2, 5)), .seconds(1))
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
