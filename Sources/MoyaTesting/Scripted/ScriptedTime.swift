import Foundation

/// The time of one scripted exchange: waits on the script's clock and applies the request's timeouts.
///
/// Timeouts need no concurrent timer, because the maximum duration of a wait is computed before the wait begins. So a script gives the
/// same results in real time and on a clock whose waits return immediately.
final class ScriptedTime: Sendable {
    private struct State: Sendable {
        var timeouts: TimeoutState
        /// The sum of all waits, which replaces the elapsed time on a clock that stands still.
        var waited = Duration.zero
    }

    private let url: URL
    private let draw: ScriptedDraw?
    private let clock: any Clock<Duration>
    private let read: @Sendable () -> Duration
    private let state: Locked<State>

    /// Starts the time of an exchange; `draw` is the random choice that causes timeouts, if any.
    init(_ request: TransportRequest, clock: any Clock<Duration>, draw: ScriptedDraw?) {
        url = request.url
        self.draw = draw
        self.clock = clock
        read = stopwatch(clock)
        state = Locked(State(timeouts: TimeoutState(request)))
    }

    /// The time since the exchange began.
    var elapsed: Duration { max(read(), state.withLock { $0.waited }) }

    /// Records that data was sent or received, so that the exchange is not idle.
    func recordActivity() {
        let now = elapsed
        state.withLock { $0.timeouts.recordActivity(at: now) }
    }

    /// Records that the request was sent, with its body.
    func recordSent() {
        let now = elapsed
        state.withLock {
            $0.timeouts.recordActivity(at: now)
            $0.timeouts.recordSent(at: now)
        }
    }

    /// Records that the head of the response was received.
    func recordResponse() {
        let now = elapsed
        state.withLock {
            $0.timeouts.recordActivity(at: now)
            $0.timeouts.recordResponse()
        }
    }

    /// Waits, at most until the request times out.
    ///
    /// - Throws: `URLError` with the code `timedOut` or `cancelled`.
    func wait(_ duration: Duration) async throws {
        try await sleep(.zero)
        let now = elapsed
        switch state.withLock({ $0.timeouts.verdict(at: now) }) {
        case .checkAgain(let left) where duration < left:
            try await sleep(duration)
        case .checkAgain(let left):
            try await sleep(left)
            throw timeoutError(at: now + left)
        case .expired:
            throw timeoutError(at: now)
        }
    }

    /// Waits until the request times out.
    func waitForever() async throws -> Never {
        try await wait(.longestTimeout)
        throw timeoutError(at: elapsed)
    }

    private func sleep(_ duration: Duration) async throws {
        do {
            try Task.checkCancellation()
            guard duration > .zero else { return }
            try await clock.sleep(for: duration)
            state.withLock { $0.waited += duration }
            try Task.checkCancellation()
        } catch is CancellationError {
            throw URLError.cancelled(url: url)
        }
    }

    private func timeoutError(at time: Duration) -> URLError {
        let timeout = state.withLock { state in
            guard case .expired(let kind) = state.timeouts.verdict(at: time) else {
                return state.timeouts.error(of: .idle)
            }
            return state.timeouts.error(of: kind)
        }
        if let draw { return ScriptedFault(kind: .timedOut, draw: draw).error(url: url).adding(timeout) }
        return .timedOut(timeout, url: url)
    }
}

/// Returns a function that measures the time on a clock since now.
private func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
