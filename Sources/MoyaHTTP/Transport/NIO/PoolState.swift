/// Which connections one origin has, which requests wait for one, and what is to be done about it. Pure: events in,
/// actions out; requests and connections are numbers, and it is told the time.
///
/// A connection of HTTP/1.1 carries one request at a time, and there are up to a limit of them. One of HTTP/2 carries as
/// many as the server allows. Where it is not known yet which it will be, one connection is made to find out.
struct PoolState: Sendable {
    typealias ConnectionID = Int
    typealias RequestID = Int

    enum Action: Equatable, Sendable {
        /// Send a request that waited.
        case run(RequestID, on: ConnectionID)
        /// Begin to make a connection.
        case open(ConnectionID)
        /// Close a connection that is not in use, or give up making it.
        case close(ConnectionID)
        /// A request fails with the error that the last attempt to connect failed with.
        case fail(RequestID)
    }

    /// What becomes of a request that comes.
    enum Arrival: Equatable, Sendable {
        case run(on: ConnectionID)
        /// It waits, and this is to be done.
        case wait([Action])
    }

    private enum Version: Sendable { case unknown, http1, http2 }

    private struct Idle: Sendable {
        let id: ConnectionID
        let since: Duration
    }

    private struct Attempt: Sendable {
        let id: ConnectionID
        /// The last request that came before it.
        let lastRequest: RequestID
    }

    /// A connection of HTTP/2.
    private struct Shared: Sendable {
        let id: ConnectionID
        var streams = 0
        var limit: Int
        var idleSince: Duration
        /// The server takes no more requests on it (RFC 9113, section 6.8).
        var isGoingAway = false
        /// The server answers. While that is in doubt no request is sent.
        var isResponsive = true

        /// Whether requests should wait for it rather than for another connection.
        var isUsable: Bool { !isGoingAway && isResponsive }
        var hasRoom: Bool { isUsable && streams < limit }
    }

    private let limit: Int
    private let idleTimeout: Duration
    private var version: Version
    private var lastRequest = 0
    private var lastConnection = 0
    /// In the order in which they came, so that their numbers ascend.
    private var waiting = WaitingLine()
    /// Requests that are sent again. They come first, and over HTTP/1.1 on a new connection: an old one may be stale, too.
    private var resent = WaitingLine()
    private var attempts: [Attempt] = []
    /// Of HTTP/1.1, the one used last at the end: that one is used next, so that those that are too many time out.
    private var idle: [Idle] = []
    /// Of HTTP/1.1, those with a request.
    private var busy: Set<ConnectionID> = []
    private var shared: [Shared] = []
    /// How many attempts have failed since the last one that did not.
    private var failures = 0
    /// Before that no attempt is begun.
    private var nextAttemptTime = Duration.zero

    /// - Parameters:
    ///   - limit: How many connections of HTTP/1.1 there may be.
    ///   - maySpeakHTTP2: Whether the server can choose HTTP/2.
    ///   - idleTimeout: How long a connection without a request is kept.
    init(limit: Int, maySpeakHTTP2: Bool, idleTimeout: Duration) {
        self.limit = max(1, limit)
        self.idleTimeout = idleTimeout
        version = maySpeakHTTP2 ? .unknown : .http1
    }

    /// How many requests wait for a connection.
    var waitingCount: Int { waiting.count + resent.count }

    // MARK: Requests

    /// Gives a request its number, which is what it waits by.
    ///
    /// - Parameter isResent: Whether it was sent before, and its connection was lost or the server did not process it.
    mutating func arrived(isResent: Bool = false, at now: Duration) -> (RequestID, Arrival) {
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
        return (request, .wait(moreAttempts(at: now)))
    }

    /// A request waits no longer, since it was cancelled or took too long.
    ///
    /// An attempt that nobody waits for is given up. So is one that a request has waited for until its time was over, as it
    /// may never end: those that still wait get another one.
    mutating func gaveUp(_ request: RequestID, timedOut: Bool, at now: Duration) -> [Action] {
        guard waiting.remove(request) || resent.remove(request) else { return [] }
        let index =
            timedOut
            ? attempts.firstIndex { $0.lastRequest >= request }
            : waitingCount < attempts.count ? attempts.startIndex : nil
        guard let index else { return [] }
        return [.close(attempts.remove(at: index).id)] + moreAttempts(at: now)
    }

    // MARK: Connections

    /// An attempt has become a connection of HTTP/1.1.
    mutating func connectedHTTP1(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard removeAttempt(id) != nil else { return [.close(id)] }
        version = .http1
        (failures, nextAttemptTime) = (0, .zero)
        guard let request = resent.popFirst() ?? waiting.popFirst() else {
            idle.append(Idle(id: id, since: now))
            return []
        }
        busy.insert(id)
        return [.run(request, on: id)] + moreAttempts(at: now)
    }

    /// An attempt has become a connection of HTTP/2.
    ///
    /// - Parameter streams: How many streams may be open, as long as the server has not said how many it allows.
    mutating func connectedHTTP2(_ id: ConnectionID, streams: Int, at now: Duration) -> [Action] {
        guard removeAttempt(id) != nil else { return [.close(id)] }
        version = .http2
        (failures, nextAttemptTime) = (0, .zero)
        shared.append(Shared(id: id, limit: streams, idleSince: now))
        // There is no use for others that are on their way.
        let closing = attempts.map { Action.close($0.id) }
        attempts = []
        return runWaiting() + closing
    }

    /// An attempt has failed.
    ///
    /// Who waited before it began fails with it, unless there is another connection, or another attempt, to wait for.
    mutating func failed(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let attempt = removeAttempt(id) else { return [] }
        failures += 1
        nextAttemptTime = now + Self.pause(after: failures)
        var actions: [Action] = []
        if attempts.isEmpty, idle.isEmpty, busy.isEmpty, !shared.contains(where: \.isUsable) {
            while let request = resent.popFirst(upTo: attempt.lastRequest) { actions.append(.fail(request)) }
            while let request = waiting.popFirst(upTo: attempt.lastRequest) { actions.append(.fail(request)) }
        }
        return actions + moreAttempts(at: now)
    }

    /// The exchange on a connection of HTTP/1.1 has ended, and it can have another one.
    mutating func freed(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard busy.remove(id) != nil else { return [] }
        if resent.count > attempts.count, connections >= limit - 1 {
            // Its place is for a new connection.
            return [.close(id)] + moreAttempts(at: now)
        }
        if let request = waiting.popFirst() {
            busy.insert(id)
            return [.run(request, on: id)]
        }
        idle.append(Idle(id: id, since: now))
        return []
    }

    /// The exchange on a stream of HTTP/2 has ended.
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

    /// The server allows so many streams on a connection of HTTP/2.
    mutating func allowsStreams(_ count: Int, on id: ConnectionID) -> [Action] {
        guard let index = shared.firstIndex(where: { $0.id == id }) else { return [] }
        shared[index].limit = count
        return runWaiting()
    }

    /// The server takes no more requests on a connection of HTTP/2.
    mutating func goesAway(_ id: ConnectionID, at now: Duration) -> [Action] {
        guard let index = shared.firstIndex(where: { $0.id == id }) else { return [] }
        shared[index].isGoingAway = true
        guard shared[index].streams == 0 else { return moreAttempts(at: now) }
        shared.remove(at: index)
        return [.close(id)] + moreAttempts(at: now)
    }

    /// It is in doubt whether the server of a connection of HTTP/2 still answers, or not any more.
    mutating func isResponsive(_ isResponsive: Bool, _ id: ConnectionID, at now: Duration) -> [Action] {
        guard let index = shared.firstIndex(where: { $0.id == id }) else { return [] }
        shared[index].isResponsive = isResponsive
        return isResponsive ? runWaiting() : moreAttempts(at: now)
    }

    /// A connection is closed, or about to be, in use or not.
    mutating func closed(_ id: ConnectionID, at now: Duration) -> [Action] {
        if busy.remove(id) == nil {
            idle.removeAll { $0.id == id }
            shared.removeAll { $0.id == id }
            attempts.removeAll { $0.id == id }
        }
        return moreAttempts(at: now)
    }

    /// A request on a connection of HTTP/1.1 that had been used before got no byte of a response: those that are idle
    /// may be as dead as that one.
    mutating func dropIdle() -> [Action] {
        defer { idle = [] }
        return idle.map { .close($0.id) }
    }

    // MARK: Time

    /// When ``expire(at:)`` has something to do, if that is known.
    var nextDeadline: Duration? {
        var next: Duration?
        func consider(_ time: Duration) { next = next.map { min($0, time) } ?? time }
        if let oldest = idle.first { consider(oldest.since + idleTimeout) }
        for connection in shared where connection.streams == 0 { consider(connection.idleSince + idleTimeout) }
        if nextAttemptTime > .zero, wantsAttempt { consider(nextAttemptTime) }
        return next
    }

    /// Takes out what has been idle for too long, and begins attempts that had to wait after others failed.
    mutating func expire(at now: Duration) -> [Action] {
        let fresh = idle.firstIndex { now - $0.since < idleTimeout } ?? idle.endIndex
        var actions = idle[..<fresh].map { Action.close($0.id) }
        idle.removeFirst(fresh)
        shared.removeAll { connection in
            guard connection.streams == 0, now - connection.idleSince >= idleTimeout else { return false }
            actions.append(.close(connection.id))
            return true
        }
        return actions + moreAttempts(at: now)
    }

    // MARK: Inside

    /// Of HTTP/1.1, in use or not.
    private var connections: Int { attempts.count + idle.count + busy.count }

    /// Runs what waits on connections of HTTP/2 that have room.
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

    /// Whether an attempt should be begun, as soon as the time has come.
    private var wantsAttempt: Bool {
        guard attempts.count < waitingCount else { return false }
        guard version == .http1 else { return attempts.isEmpty && !shared.contains(where: \.isUsable) }
        return connections < limit || (resent.count > attempts.count && !idle.isEmpty)
    }

    private mutating func moreAttempts(at now: Duration) -> [Action] {
        var actions: [Action] = []
        while now >= nextAttemptTime, wantsAttempt {
            if version == .http1, connections >= limit { actions.append(.close(idle.removeFirst().id)) }
            lastConnection += 1
            attempts.append(Attempt(id: lastConnection, lastRequest: lastRequest))
            actions.append(.open(lastConnection))
            // One at a time after a failure.
            if failures > 0 { break }
        }
        return actions
    }

    /// How long no attempt is begun after some have failed in a row: not at all after the first, and up to a second.
    private static func pause(after failures: Int) -> Duration {
        failures < 2 ? .zero : min(.milliseconds(50 << min(failures - 2, 5)), .seconds(1))
    }

    private mutating func removeAttempt(_ id: ConnectionID) -> Attempt? {
        attempts.firstIndex { $0.id == id }.map { attempts.remove(at: $0) }
    }
}
