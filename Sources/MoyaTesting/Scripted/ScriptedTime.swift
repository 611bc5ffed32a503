import Foundation

/// The time of one scripted exchange: waits on the script's clock, and ends with the request's time-outs.
///
/// Nothing runs beside the exchange: how long a wait may be is known before it begins. So a clock whose waits are over at once
/// gives what the same script gives in real time.
final class ScriptedTime: Sendable {
    private struct State: Sendable {
        var timeouts: TimeoutState
        /// A clock may stand still.
        var waited = Duration.zero
    }

    private let url: URL
    private let draw: ScriptedDraw?
    private let clock: any Clock<Duration>
    private let read: @Sendable () -> Duration
    private let state: Locked<State>

    /// - Parameter draw: The chance that a time-out is due to, if it is.
    init(_ request: TransportRequest, clock: any Clock<Duration>, draw: ScriptedDraw?) {
        url = request.url
        self.draw = draw
        self.clock = clock
        read = stopwatch(clock)
        state = Locked(State(timeouts: TimeoutState(request)))
    }

    /// Since the exchange began.
    var elapsed: Duration { max(read(), state.withLock { $0.waited }) }

    /// Something was sent, or has arrived: the exchange is not idle.
    func noteActivity() {
        let now = elapsed
        state.withLock { $0.timeouts.activity(at: now) }
    }

    /// Waits, at most until the request's time is up.
    ///
    /// - Throws: `URLError`, with the code `timedOut` or `cancelled`.
    func wait(_ duration: Duration) async throws {
        try await sleep(.zero)
        let now = elapsed
        switch state.withLock({ $0.timeouts.verdict(at: now) }) {
        case .lookAgain(let left) where duration < left:
            try await sleep(duration)
        case .lookAgain(let left):
            try await sleep(left)
            throw timedOut(state.withLock { $0.timeouts.verdict(at: now + left) })
        case .idleTooLong, .tookTooLong:
            throw timedOut(state.withLock { $0.timeouts.verdict(at: now) })
        }
    }

    /// Waits until the request's time is up.
    func waitForEver() async throws -> Never {
        try await wait(.longestTimeout)
        throw timedOut(.idleTooLong)
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

    private func timedOut(_ verdict: TimeoutState.Verdict) -> URLError {
        if let draw { return ScriptedFault(kind: .timedOut, draw: draw).error(url: url) }
        return .timedOut(verdict, url: url)
    }
}

/// What tells how much time has passed on a clock since now.
private func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
