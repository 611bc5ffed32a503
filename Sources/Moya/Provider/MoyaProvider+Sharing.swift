import Foundation

// Equal requests share one request to the session.
extension MoyaProvider {
    /// Adds a caller to the shared request of equal requests, or starts a shared request.
    ///
    /// A shared request uses the target and the queue of its first caller. Each caller gets progress and result on its own queue,
    /// and can be cancelled separately. When the last one is cancelled, the shared request is cancelled, and that caller's
    /// completion is called when it has ended, as for a request that is not shared.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of the request.
    ///   - makeCaller: Creates the request of the caller, for the shared request.
    /// - Returns: The token that cancels the request of the caller.
    func share(
        _ endpoint: Endpoint,
        _ makeCaller: (SharedRequest) -> ProviderRequest<Target>
    ) -> CancellableToken {
        let (caller, isFirst) = inflight.join(SharedRequest.Key(endpoint), plugins: plugins, makeCaller)
        caller.token.attach { [self] in leave(caller) }
        if isFirst { start(caller) }
        return caller.token
    }

    /// Cancels the request of one caller, and the shared request if no other caller waits.
    private func leave(_ caller: ProviderRequest<Target>) {
        guard let shared = caller.shared else { return }
        switch inflight.leave(shared, caller) {
        case .tooLate:
            break
        case .left:
            let isSent = shared.token.isClaimed
            caller.resultQueue.async { [self] in
                complete(caller, with: .failure(cancellationError.describing(caller.endpoint)), reportsProgress: isSent)
            }
        case .last:
            shared.token.cancel()
        }
    }

    /// Completes all callers of a shared request; called on the queue of the first caller.
    func completeCallers(
        of shared: SharedRequest,
        first: ProviderRequest<Target>,
        with result: Result<Response, MoyaError>,
        reportsProgress: Bool
    ) {
        let callers = inflight.beginCompleting(shared)
        let remaining = Countdown(callers.count) { [inflight] in inflight.endCompleting(shared) }
        for caller in callers {
            let completeOne: @Sendable () -> Void = { [self] in
                complete(caller, with: result, reportsProgress: reportsProgress)
                remaining.countDown()
            }
            let isSameQueue = caller.queue === first.queue && !caller.hasProgressHandler
            if caller === first || isSameQueue { completeOne() } else { caller.resultQueue.async(execute: completeOne) }
        }
    }
}

/// A counter that calls a function when it reaches zero.
private final class Countdown: Sendable {
    private let count: Locked<Int>
    private let atZero: @Sendable () -> Void

    init(_ count: Int, atZero: @escaping @Sendable () -> Void) {
        self.count = Locked(count)
        self.atZero = atZero
    }

    func countDown() {
        let isZero = count.withLock { count in
            count -= 1
            return count == 0
        }
        if isZero { atZero() }
    }
}
