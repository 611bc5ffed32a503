#if NIO && !canImport(Darwin)
    import Foundation
    import NIOCore
    import NIOPosix

    /// The pools of a transport, one for each recently used origin.
    final class ConnectionPoolManager: Sendable {
        private struct Entry: Sendable {
            var pool: ConnectionPool
            var lastUsed: Int
        }

        /// The pool that was used last, found by the beginning of the URL: most requests go to the same origin.
        private struct Last: Sendable {
            let origin: Origin
            /// Scheme, host and port as in the URL.
            let beginning: [UInt8]
            let pool: ConnectionPool

            init?(_ url: URL, origin: Origin, pool: ConnectionPool) {
                var text = url.absoluteString
                let beginning = text.withUTF8 { bytes in PlainAuthority(bytes).map { Array(bytes[..<$0.end]) } }
                guard let beginning else { return nil }
                (self.origin, self.beginning, self.pool) = (origin, beginning, pool)
            }

            /// Whether a URL has the origin, in the same spelling.
            func hasOrigin(of url: UnsafeBufferPointer<UInt8>) -> Bool {
                guard url.count >= beginning.count else { return false }
                for index in beginning.indices where url[index] != beginning[index] { return false }
                return url.count == beginning.count || url[beginning.count] == UInt8(ascii: "/")
            }
        }

        private struct State: Sendable {
            var entries: [Origin: Entry] = [:]
            var last: Last?
            /// A counter of requests, used as a clock.
            var clock = 0
            var nextLoop = 0
            var isShutDown = false

            /// Records that a pool is used.
            mutating func use(_ pool: ConnectionPool, of origin: Origin, for url: URL) {
                clock += 1
                // Its last use was not recorded at the time.
                if let last { entries[last.origin]?.lastUsed = clock }
                clock += 1
                entries[origin] = Entry(pool: pool, lastUsed: clock)
                last = Last(url, origin: origin, pool: pool)
            }
        }

        /// The maximum number of unused pools to keep, with their connections.
        private static let maximumIdlePools = 256

        private let settings: NIOSettings
        private let loops: [any EventLoop]
        private let state = Locked(State())

        init(_ settings: NIOSettings, loops: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup) {
            self.settings = settings
            self.loops = Array(loops.makeIterator())
        }

        /// Returns the pool for a URL.
        ///
        /// The sender keeps it alive until the exchange is over.
        ///
        /// - Throws: `URLError`; ``ServerTrustError`` for a host without a required rule; or
        ///   ``TransportConfigurationError`` for a proxy of the environment that is invalid.
        func pool(for url: URL) throws -> ConnectionPool {
            var text = url.absoluteString
            let last = text.withUTF8 { bytes in
                state.withLock { state in state.last.flatMap { $0.hasOrigin(of: bytes) ? $0.pool : nil } }
            }
            if let last { return last }
            guard let origin = Origin(url) else { throw URLError.make(.unsupportedURL, url: url) }
            let (known, isShutDown) = state.withLock { state -> (ConnectionPool?, Bool) in
                guard let pool = state.entries[origin]?.pool else { return (nil, state.isShutDown) }
                state.use(pool, of: origin, for: url)
                return (pool, state.isShutDown)
            }
            guard !isShutDown else { throw URLError.cancelled(url: url) }
            if let known { return known }
            let made = ConnectionPool(
                try settings.connector(for: origin, host: url.host ?? origin.host),
                on: nextLoops()
            )
            let (pool, dropped) = state.withLock { state -> (ConnectionPool?, [ConnectionPool]) in
                guard !state.isShutDown else { return (nil, []) }
                // Another request may have created the pool in the meantime.
                if let pool = state.entries[origin]?.pool { return (pool, []) }
                state.use(made, of: origin, for: url)
                return (made, Self.drop(from: &state.entries))
            }
            // Not under the lock.
            for pool in dropped { _ = pool.shutDown { .cancelled(url: $0) } }
            guard let pool else { throw URLError.cancelled(url: url) }
            return pool
        }

        /// Returns the event loops, beginning with another one for each pool.
        private func nextLoops() -> [any EventLoop] {
            let first = state.withLock { state in
                state.nextLoop = (state.nextLoop + 1) % loops.count
                return state.nextLoop
            }
            return Array(loops[first...] + loops[..<first])
        }

        /// Returns the HTTP proxy that requests to a URL are sent to in absolute form, if any.
        func forwardingProxy(for url: URL) -> HTTPProxy? { settings.forwardingProxy(for: url) }

        /// Removes the least recently used pools that are not in use.
        private static func drop(from entries: inout [Origin: Entry]) -> [ConnectionPool] {
            guard entries.count > maximumIdlePools else { return [] }
            var dropped: [ConnectionPool] = []
            for origin in entries.sorted(by: { $0.value.lastUsed < $1.value.lastUsed }).map(\.key) {
                guard entries.count > maximumIdlePools else { break }
                if var entry = entries.removeValue(forKey: origin) {
                    if isKnownUniquelyReferenced(&entry.pool) {
                        dropped.append(entry.pool)
                    } else {
                        entries[origin] = entry
                    }
                }
            }
            return dropped
        }

        /// Closes all connections.
        ///
        /// Running and later requests are cancelled.
        func shutDown() async {
            // All pools concurrently, since closing a connection may take time.
            let ends = takeAll().map { pool in pool.shutDown { .cancelled(url: $0) } }
            for end in ends {
                // The future cannot fail.
                try? await end.get()
            }
        }

        private func takeAll() -> [ConnectionPool] {
            state.withLock { state in
                state.isShutDown = true
                defer { (state.entries, state.last) = ([:], nil) }
                return state.entries.values.map(\.pool)
            }
        }

        /// Cancels running requests.
        deinit {
            for pool in takeAll() { _ = pool.shutDown { .cancelled(url: $0) } }
        }
    }
#endif
