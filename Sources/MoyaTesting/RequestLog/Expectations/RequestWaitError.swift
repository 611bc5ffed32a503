import Foundation

/// The error for requests that were not sent before the timeout.
public struct RequestWaitError: Error, Sendable {
    /// What a caller waits for.
    public enum Reason: Sendable {
        /// A number of requests.
        case count(Int)
        /// A matching request; with the mismatch.
        case request(RequestMismatch)
    }

    /// What the caller waited for.
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

extension RequestWaitError: LocalizedError, CustomStringConvertible {
    /// What the caller waited for, and the requests that were sent.
    public var description: String {
        switch reason {
        case .count(let count):
            "Waited \(timeout) for \(count == 1 ? "a request" : "\(count) requests"). \(RequestList(requests))"
        case .request(let mismatch):
            "Waited \(timeout) for a request. \(mismatch)"
        }
    }

    /// What the caller waited for, and the requests that were sent.
    public var errorDescription: String? { description }
}
