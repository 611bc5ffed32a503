#if NIO && !canImport(Darwin)
import Foundation
import NIOCore

/// The pools of a transport that are in use, and its idle connections.
///
/// A pool is in the table as long as it has connections, connect attempts or waiting requests, so that the table does not grow
/// with the number of hosts. Locks are taken in this order: the table's, that of a pool, that of the idle connections.
final class ConnectionPoolTable: Sendable {
    /// The server that the connections of a pool lead to.
    enum Key: Hashable, Sendable {
        case origin(Origin)
        /// An alternative of an origin.
        case alternative(Origin, of: Origin)
        /// An origin, for requests for upgrades that cannot use the connections for other requests.
        case upgrade(Origin)
        /// An HTTP proxy that gets requests in absolute form, whatever their origin.
        case proxy(ObjectIdentifier)
    }

    /// An open connection of a pool.
    struct Connection: Sendable {
        let pool: ConnectionPool
        let id: ConnectionPoolStateMachine.ConnectionID
    }

    /// The pool that was used last, found by the beginning of the URL: most requests go to the same origin.
    private struct Last: Sendable {
        /// Scheme, host and port as in the URL.
        let beginning: [UInt8]
        let pool: ConnectionPool

        init?(_ url: URL, pool: ConnectionPool) {
            var text = url.absoluteString
            let beginning = text.withUTF8 { bytes in PlainAuthority(bytes).map { Array(bytes[..<$0.end]) } }
            guard let beginning else { return nil }
            (self.beginning, self.pool) = (beginning, pool)
        }

        /// Whether a URL has the origin, in the same spelling.
        func hasOrigin(of url: UnsafeBufferPointer<UInt8>) -> Bool {
            guard url.count >= beginning.count else { return false }
            for index in beginning.indices where url[index] != beginning[index] { return false }
            return url.count == beginning.count || url[beginning.count] == UInt8(ascii: "/")
        }
    }

    private struct State: Sendable {
        var pools: [Key: ConnectionPool] = [:]
        var last: Last?
        var isShutDown = false
        var observers: [any ConnectionObserver] = []
    }

    private let state = Locked(State())
    private let idle: Locked<IdleConnections<Connection>>
    /// Completes when the connections that were evicted last are closed; `nil` if all are closed.
    private let closing = Locked<(future: EventLoopFuture<Void>, number: Int)?>(nil)

    /// Creates a table without pools.
    init(maximumIdleConnections: Int) { idle = Locked(IdleConnections(limit: maximumIdleConnections)) }

    /// The number of pools.
    var count: Int { state.withLock { $0.pools.count } }

    /// The number of idle connections.
    var idleCount: Int { idle.withLock { $0.count } }

    // MARK: Pools

    /// Returns the pool that was used last, if a URL has its origin.
    func lastPool(for url: URL) -> ConnectionPool? {
        var text = url.absoluteString
        return text.withUTF8 { bytes in
            state.withLock { state in state.last.flatMap { $0.hasOrigin(of: bytes) ? $0.pool : nil } }
        }
    }

    /// Returns the pool for a server; `nil` if there is none.
    func pool(for key: Key) -> ConnectionPool? { state.withLock { $0.pools[key] } }

    /// Records the pool of a URL as the one that was used last.
    func recordUse(of pool: ConnectionPool, for url: URL) {
        let last = Last(url, pool: pool)
        // The earlier value is released after the lock.
        _ = state.withLock { state -> Last? in
            guard !state.isShutDown else { return nil }
            defer { state.last = last }
            return state.last
        }
    }

    /// Adds a pool, unless there is one for the same server.
    ///
    /// - Returns: The pool of the table; `nil` after the shutdown.
    func add(_ pool: ConnectionPool) -> ConnectionPool? {
        state.withLock { state in
            guard !state.isShutDown else { return nil }
            if let known = state.pools[pool.key] {
                if state.last?.pool === pool { state.last = nil }
                return known
            }
            pool.attach(observedBy: state.observers)
            state.pools[pool.key] = pool
            return pool
        }
    }

    /// The pools in the order of their servers.
    var all: [ConnectionPool] {
        state.withLock { Array($0.pools.values) }.sorted { one, other in
            let (one, other) = (one.connector.origin, other.connector.origin)
            return (one.host, one.port, one.scheme) < (other.host, other.port, other.scheme)
        }
    }

    /// Adds an observer of the connections, unless it has been added already.
    func addObserver(_ observer: any ConnectionObserver) {
        let pools = state.withLock { state -> [ConnectionPool] in
            guard !state.observers.contains(where: { $0 === observer }) else { return [] }
            state.observers.append(observer)
            return Array(state.pools.values)
        }
        for pool in pools { pool.addObserver(observer) }
    }

    /// Removes a pool without connections, attempts and requests; does nothing if it has any.
    func remove(_ pool: ConnectionPool) {
        let timer = state.withLock { state -> Scheduled<Void>? in
            guard state.pools[pool.key] === pool else { return nil }
            let (isDetached, timer) = pool.detachIfUnused()
            guard isDetached else { return nil }
            state.pools[pool.key] = nil
            if state.last?.pool === pool { state.last = nil }
            return timer
        }
        timer?.cancel()
    }

    /// Removes and returns all pools; none can be added afterwards.
    func shutDown() -> [ConnectionPool] {
        state.withLock { state in
            state.isShutDown = true
            defer { (state.pools, state.last) = ([:], nil) }
            return Array(state.pools.values)
        }
    }

    // MARK: Connections

    /// Adds an open connection, which is in use.
    func addConnection(_ connection: Connection) -> IdleConnections<Connection>.Place {
        idle.withLock { $0.add(connection) }
    }

    /// Removes a connection that is closed or closing.
    func removeConnection(_ place: IdleConnections<Connection>.Place) { idle.withLock { $0.remove(place) } }

    /// Marks a connection as idle, and returns another one to evict if there are too many.
    func markIdle(_ place: IdleConnections<Connection>.Place) -> Connection? {
        idle.withLock { $0.markIdle(place) }
    }

    /// Marks a connection as used.
    func markUsed(_ place: IdleConnections<Connection>.Place) { idle.withLock { $0.markUsed(place) } }

    /// Evicts all idle connections, because the process has no file descriptors left.
    ///
    /// - Returns: A future that completes when they are closed; `nil` if there are none.
    func evictIdleConnections(on loop: any EventLoop) -> EventLoopFuture<Void>? {
        let closed = idle.withLock { $0.takeAll() }.compactMap { $0.pool.evict($0.id) }
        guard !closed.isEmpty else { return closing.withLock { $0?.future } }
        let future = EventLoopFuture.andAllComplete(closed, on: loop)
        let number = closing.withLock { closing in
            let number = (closing?.number ?? 0) + 1
            closing = (future, number)
            return number
        }
        future.whenComplete { [self] _ in
            closing.withLock { if $0?.number == number { $0 = nil } }
        }
        return future
    }
}
#endif
