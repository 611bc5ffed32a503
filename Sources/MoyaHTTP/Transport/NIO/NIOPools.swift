#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import NIOCore
    import NIOPosix

    /// A transport's pools, one for each origin that it has spoken to lately.
    final class NIOPools: Sendable {
        private struct Entry: Sendable {
            var pool: NIOPool
            var lastUsed: Int
        }

        private struct State: Sendable {
            var entries: [Origin: Entry] = [:]
            /// Counts requests, and stands for the time.
            var clock = 0
            var isShutDown = false
        }

        /// So many pools are kept that nobody uses, with their connections.
        private static let mostKept = 64

        private let settings: NIOSettings
        private let loops: any EventLoopGroup
        private let state = Locked(State())

        init(_ settings: NIOSettings, loops: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup) {
            self.settings = settings
            self.loops = loops
        }

        /// The pool for a URL. Whoever sends through it keeps it until the exchange is over.
        ///
        /// - Throws: `URLError`, or ``ServerTrustError`` for a host that needs a rule and has none.
        func pool(for url: URL) throws -> NIOPool {
            guard let origin = Origin(url) else { throw URLError.exchange(.unsupportedURL, url: url) }
            let (known, isShutDown) = state.withLock { state -> (NIOPool?, Bool) in
                state.clock += 1
                state.entries[origin]?.lastUsed = state.clock
                return (state.entries[origin]?.pool, state.isShutDown)
            }
            guard !isShutDown else { throw URLError.cancelled(url: url) }
            if let known { return known }
            let made = NIOPool(try settings.connector(for: origin, host: url.host ?? origin.host), on: loops.next())
            let (pool, dropped) = state.withLock { state -> (NIOPool?, [NIOPool]) in
                guard !state.isShutDown else { return (nil, []) }
                // Another request may have come first.
                if let pool = state.entries[origin]?.pool { return (pool, []) }
                state.clock += 1
                state.entries[origin] = Entry(pool: made, lastUsed: state.clock)
                return (made, Self.drop(from: &state.entries))
            }
            // Not under the lock.
            for pool in dropped { _ = pool.shutDown { .cancelled(url: $0) } }
            guard let pool else { throw URLError.cancelled(url: url) }
            return pool
        }

        /// Takes out what was used longest ago and is not in use.
        private static func drop(from entries: inout [Origin: Entry]) -> [NIOPool] {
            guard entries.count > mostKept else { return [] }
            var dropped: [NIOPool] = []
            for origin in entries.sorted(by: { $0.value.lastUsed < $1.value.lastUsed }).map(\.key) {
                guard entries.count > mostKept else { break }
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

        /// Closes all connections. What runs is cancelled, as is what is sent afterwards.
        func shutDown() async {
            // All at once: a connection may take its time.
            let ends = takeAll().map { pool in pool.shutDown { .cancelled(url: $0) } }
            for end in ends {
                // It can't fail.
                try? await end.get()
            }
        }

        private func takeAll() -> [NIOPool] {
            state.withLock { state in
                state.isShutDown = true
                defer { state.entries = [:] }
                return state.entries.values.map(\.pool)
            }
        }

        /// What runs ends with the transport.
        deinit {
            for pool in takeAll() { _ = pool.shutDown { .cancelled(url: $0) } }
        }
    }
#endif
