#if NIO && !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import NIOCore

    /// Those who wait until a pool has opened connections without a request.
    ///
    /// It must be used on the pool's event loop only.
    struct Preconnecting {
        private struct Waiter {
            let count: Int
            let url: URL
            let promise: EventLoopPromise<Void>
        }

        private var waiters: [Waiter] = []

        /// The largest number of connections that somebody waits for; `nil` if nobody waits.
        var count: Int? { waiters.map(\.count).max() }

        mutating func add(_ count: Int, _ url: URL, _ promise: EventLoopPromise<Void>) {
            waiters.append(Waiter(count: count, url: url, promise: promise))
        }

        /// Completes those for whom there are enough connections.
        mutating func succeed(_ isEnough: (Int) -> Bool) {
            let done = waiters.filter { isEnough($0.count) }
            guard !done.isEmpty else { return }
            waiters.removeAll { isEnough($0.count) }
            for waiter in done { waiter.promise.succeed() }
        }

        mutating func fail(_ error: (URL) -> URLError) {
            let failed = waiters
            waiters = []
            for waiter in failed { waiter.promise.fail(error(waiter.url)) }
        }

        /// Cancels one who waits; returns false if there is none.
        mutating func cancel(_ promise: EventLoopPromise<Void>) -> Bool {
            let result = promise.futureResult
            guard let index = waiters.firstIndex(where: { $0.promise.futureResult === result }) else { return false }
            promise.fail(URLError.cancelled(url: waiters.remove(at: index).url))
            return true
        }
    }
#endif
