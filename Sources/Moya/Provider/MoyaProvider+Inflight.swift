import Foundation

// Equal requests share one exchange.
extension MoyaProvider {
    /// Lets a caller wait for the exchange of an equal request, or starts it.
    ///
    /// The exchange runs as its first caller asked: with that one's target, on that one's queue. Each caller hears of
    /// progress and result on a queue of its own, and can leave by itself. When the last one leaves, the exchange is
    /// cancelled, and that caller's completion follows the exchange's end, as it does where nothing is shared.
    func share(_ endpoint: Endpoint, _ stubBehavior: StubBehavior, with caller: ProviderRequest<Target>) {
        let key = InflightTable<Target>.Key(endpoint)
        switch inflight.join(key, endpoint, caller) {
        case .joined(let id):
            caller.token.attach { [self] in leave(key, id: id, caller) }
        case .first(let id, let token):
            caller.token.attach { [self] in leave(key, id: id, caller) }
            start(endpoint, stubBehavior, for: caller, token: token) { [self] outcome in
                complete(key, id: id, first: caller, with: outcome)
            } progress: { [self] progress in
                for caller in inflight.callers(key, id: id) { caller.report(progress) }
            }
        }
    }

    private func leave(_ key: InflightTable<Target>.Key, id: UInt64, _ caller: ProviderRequest<Target>) {
        switch inflight.leave(key, id: id, caller) {
        case .tooLate:
            break
        case .left:
            caller.resultQueue.async { [self] in complete(caller, with: .ended(.failure(cancelled))) }
        case .last(let exchange):
            exchange.cancel()
        }
    }

    /// Runs where the first caller wants to hear of the result.
    private func complete(
        _ key: InflightTable<Target>.Key,
        id: UInt64,
        first: ProviderRequest<Target>,
        with outcome: Outcome
    ) {
        let callers = inflight.beginCompleting(key, id: id)
        let open = Countdown(callers.count) { [inflight] in inflight.endCompleting(key, id: id) }
        for caller in callers {
            let complete: @Sendable () -> Void = { [self] in
                self.complete(caller, with: outcome)
                open.countDown()
            }
            let isSameQueue = caller.queue === first.queue && !caller.wantsProgress
            if caller === first || isSameQueue { complete() } else { caller.resultQueue.async(execute: complete) }
        }
    }
}

/// Calls a function when something has happened a number of times.
private final class Countdown: Sendable {
    private let left: Locked<Int>
    private let atZero: @Sendable () -> Void

    init(_ count: Int, atZero: @escaping @Sendable () -> Void) {
        left = Locked(count)
        self.atZero = atZero
    }

    func countDown() {
        let isZero = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isZero { atZero() }
    }
}
