import Foundation
import Moya

extension RequestLog {
    /// Waits until a number of requests have been sent since the log was created or emptied.
    ///
    /// A request counts as sent when it has been sent completely or has ended.
    ///
    /// - Parameters:
    ///   - count: The number of requests, including those that have been sent already.
    ///   - timeout: The maximum time to wait; a minute by default, as loaded machines are slow.
    /// - Returns: All requests in the log.
    /// - Throws: ``RequestWaitError`` after the timeout; `CancellationError` if the task is cancelled.
    @discardableResult
    public func wait(for count: Int, timeout: Duration = .seconds(60)) async throws -> [CapturedRequest] {
        guard try await waitForCount(count, until: .now + timeout) else {
            throw RequestWaitError(.count(count), timeout: timeout, requests: requests)
        }
        return requests
    }

    /// Waits until a matching request has been sent.
    ///
    ///     let request = try await transport.log.wait(for: .post("/users"))
    ///
    /// - Parameters:
    ///   - expected: The expectation.
    ///   - timeout: The maximum time to wait; a minute by default, as loaded machines are slow.
    /// - Returns: The first matching request in the log.
    /// - Throws: ``RequestWaitError`` after the timeout; `CancellationError` if the task is cancelled.
    @discardableResult
    public func wait(for expected: ExpectedRequest, timeout: Duration = .seconds(60)) async throws -> CapturedRequest {
        let deadline = ContinuousClock.now + timeout
        var isInTime = expected.mistake == nil
        while true {
            // The number is read before the requests are compared, so that requests sent in between are compared in the
            // next round.
            let sent = state.withLock { $0.sent }
            let requests = requests
            if let found = requests.first(where: { $0.isSent && $0.matches(expected) }) { return found }
            guard isInTime else {
                let mismatch = RequestMismatch(noneIs: expected, in: requests)
                throw RequestWaitError(.request(mismatch), timeout: timeout, requests: requests)
            }
            isInTime = try await waitForCount(sent + 1, until: deadline)
        }
    }

    /// Waits for a number of sent requests, and returns whether it was reached in time.
    private func waitForCount(_ count: Int, until deadline: ContinuousClock.Instant) async throws -> Bool {
        try Task.checkCancellation()
        let result = Promise<Bool>()
        let id = state.withLock { state in
            state.sent < count ? state.waiters.add(for: count, result) : nil
        }
        guard let id else { return true }
        let timer = Task {
            try await Task.sleep(until: deadline, clock: .continuous)
            result.fulfill(false)
        }
        defer {
            timer.cancel()
            state.withLock { $0.waiters.remove(id) }
        }
        let isReached = await result.wait(onCancel: false)
        if !isReached { try Task.checkCancellation() }
        return isReached
    }
}

/// The error for requests that were not sent before the timeout.
public struct RequestWaitError: Error, Sendable {
    /// The condition that a caller waits for.
    public enum Reason: Sendable {
        /// A number of requests.
        case count(Int)
        /// A matching request; with the mismatch.
        case request(RequestMismatch)
    }

    /// The condition that the caller waited for.
    public let reason: Reason
    /// The timeout.
    public let timeout: Duration
    /// The requests that were sent.
    public let requests: [CapturedRequest]

    init(_ reason: Reason, timeout: Duration, requests: [CapturedRequest]) {
        self.reason = reason
        self.timeout = timeout
        self.requests = requests
    }
}

extension RequestWaitError: MaskedError {
    /// The condition that the caller waited for, and the requests that were sent.
    public var description: String {
        switch reason {
        case .count(let count):
            "Waited \(timeout) for \(count == 1 ? "a request" : "\(count) requests"). \(RequestList(requests))"
        case .request(let mismatch):
            "Waited \(timeout) for a request. \(mismatch)"
        }
    }

    /// The condition that the caller waited for, and the requests that were sent.
    public var errorDescription: String? { description }
}
