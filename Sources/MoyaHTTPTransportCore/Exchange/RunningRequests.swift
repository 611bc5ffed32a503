import Foundation

/// Counts the running requests of a session or a transport, so that a shutdown can refuse new ones and wait for the others.
package final class RunningRequests: Sendable {
    private struct State: Sendable {
        var count = 0
        var isClosed = false
        var waiters: [Promise<Void>] = []
    }

    private let state = Locked(State())

    /// Creates a count of zero.
    package init() {}

    /// Whether requests are refused.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether requests are accepted, and the number of running ones.
    package var status: (phase: ServicePhase, count: Int) {
        state.withLock { state in
            (state.isClosed ? state.count > 0 ? .draining : .closed : .open, state.count)
        }
    }

    /// Counts a new request, until ``ended()`` is called.
    ///
    /// - Parameter url: The URL of the request, for the error.
    /// - Throws: `URLError` after the shutdown, if the request is refused.
    package func begin(for url: @autoclosure () -> URL?) throws(URLError) {
        let isRefused = state.withLock { state in
            if !state.isClosed { state.count += 1 }
            return state.isClosed
        }
        if isRefused { throw .refusedAfterShutdown(url: url()) }
    }

    /// Counts work that continues after the end of its request, such as the reading of a body.
    ///
    /// The work needs a call of ``ended()``, too.
    package func beginWork() { state.withLock { $0.count += 1 } }

    /// Handles the end of a request or of work.
    package func ended() {
        let waiters = state.withLock { state -> [Promise<Void>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.fulfill(()) }
    }

    /// Refuses new requests from now on.
    package func close() { state.withLock { $0.isClosed = true } }

    /// Refuses new requests, and waits until the running ones have ended.
    ///
    /// It returns when the time is over, or when the waiting task is cancelled.
    ///
    /// - Parameter limit: The maximum time to wait.
    /// - Returns: The requests that have ended, and those that are to be cancelled.
    package nonisolated(nonsending) func drain(atMost limit: Duration) async -> ShutdownResult {
        let waiter = Promise<Void>()
        let running = state.withLock { state in
            state.isClosed = true
            if state.count > 0 { state.waiters.append(waiter) }
            return state.count
        }
        guard running > 0 else { return ShutdownResult() }
        if limit > .zero {
            let timer = Task {
                try await Task.sleep(for: min(limit, .longestTimeout))
                waiter.fulfill(())
            }
            await waiter.wait(onCancel: ())
            timer.cancel()
        }
        // The count may include work of these requests that has begun in the meantime.
        let left = state.withLock { state in min(state.count, running) }
        return ShutdownResult(finished: running - left, cancelled: left)
    }
}

extension RunningRequests {
    /// Returns the state of a transport with these servers.
    package func transportStatus(servers: [TransportStatus.Server] = []) -> TransportStatus {
        let (phase, count) = status
        return TransportStatus(phase: phase, runningExchanges: count, servers: servers)
    }

    /// Counts the body of a response until it is received, if it is not complete.
    ///
    /// Its reader may still have buffered data then, but needs no connection for it. A session counts a body until it is read.
    package func countBody(of response: TransportResponse, _ exchange: Exchange) {
        guard case .stream = response.body else { return }
        beginWork()
        exchange.whenOver { [self] in ended() }
    }
}
