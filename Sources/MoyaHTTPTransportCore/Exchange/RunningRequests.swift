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

    /// Counts a new request; returns false if it is refused.
    package func begin() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.count += 1
            return true
        }
    }

    /// Counts work that continues after the end of its request, such as the reading of a body.
    ///
    /// The work needs a call of ``end()``, too.
    package func beginWork() { state.withLock { $0.count += 1 } }

    /// Handles the end of a request or of work.
    package func end() {
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
            await withTaskCancellationHandler {
                await waiter.wait()
            } onCancel: {
                waiter.fulfill(())
            }
            timer.cancel()
        }
        // The count may include work of these requests that has begun in the meantime.
        let left = state.withLock { state in min(state.count, running) }
        return ShutdownResult(finished: running - left, cancelled: left)
    }
}

extension RunningRequests {
    /// Performs an exchange, and counts it until its response with the body is complete.
    ///
    /// - Throws: The error of `send`; `URLError` after the shutdown.
    package nonisolated(nonsending) func perform(
        _ exchange: Exchange,
        by send: nonisolated(nonsending) () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard begin() else { throw URLError.refusedAfterShutdown(url: exchange.url) }
        defer { end() }
        let response = try await send()
        countBody(of: response, exchange)
        return response
    }

    /// Counts the body of a response, if it is still received.
    package func countBody(of response: TransportResponse, _ exchange: Exchange) {
        guard case .stream = response.body else { return }
        beginWork()
        exchange.whenOver { [self] in end() }
    }
}
