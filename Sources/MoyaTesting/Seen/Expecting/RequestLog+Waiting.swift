import Foundation
import Moya

extension RequestLog {
    /// Waits until so many requests have been sent, since the log was made or emptied.
    ///
    /// A request counts when the whole of it has left, or it is over.
    ///
    /// - Parameters:
    ///   - count: How many, with those that have been sent already.
    ///   - timeout: How long to wait at most: a minute by default, as loaded machines take their time.
    /// - Returns: All requests that are kept.
    /// - Throws: ``RequestWaitError`` if they don't come in time; `CancellationError` if the task is cancelled.
    @discardableResult
    public func wait(for count: Int, timeout: Duration = .seconds(60)) async throws -> [SeenRequest] {
        guard try await reach(count, until: .now + timeout) else {
            throw RequestWaitError(.count(count), timeout: timeout, requests: requests)
        }
        return requests
    }

    /// Waits until a request has been sent that is as expected.
    ///
    ///     let request = try await transport.log.wait(for: .post("/users"))
    ///
    /// - Parameters:
    ///   - expected: What is expected of it.
    ///   - timeout: How long to wait at most: a minute by default, as loaded machines take their time.
    /// - Returns: The first such request among those that are kept.
    /// - Throws: ``RequestWaitError`` if none comes in time; `CancellationError` if the task is cancelled.
    @discardableResult
    public func wait(for expected: ExpectedRequest, timeout: Duration = .seconds(60)) async throws -> SeenRequest {
        let deadline = ContinuousClock.now + timeout
        var isInTime = expected.mistake == nil
        while true {
            // Counted before it is looked: what comes in between is looked at once more.
            let sent = state.withLock { $0.sent }
            let requests = requests
            if let found = requests.first(where: { $0.isSent && $0.matches(expected) }) { return found }
            guard isInTime else {
                let mismatch = RequestMismatch(noneIs: expected, in: requests)
                throw RequestWaitError(.request(mismatch), timeout: timeout, requests: requests)
            }
            isInTime = try await reach(sent + 1, until: deadline)
        }
    }

    /// - Returns: Whether so many came in time.
    private func reach(_ count: Int, until deadline: ContinuousClock.Instant) async throws -> Bool {
        try Task.checkCancellation()
        let result = OneShot<Bool>()
        let id = state.withLock { state in
            state.sent < count ? state.waiters.add(for: count, result) : nil
        }
        guard let id else { return true }
        let timer = Task {
            try await Task.sleep(until: deadline, clock: .continuous)
            result.fulfil(false)
        }
        defer {
            timer.cancel()
            state.withLock { $0.waiters.remove(id) }
        }
        let isReached = await withTaskCancellationHandler {
            await result.wait()
        } onCancel: {
            result.fulfil(false)
        }
        if !isReached { try Task.checkCancellation() }
        return isReached
    }
}
