import Foundation

/// Requests that did not come in time.
public struct RequestWaitError: Error, Sendable {
    /// What was waited for.
    public enum Reason: Sendable {
        /// So many requests.
        case count(Int)
        /// A request that is as expected; with why none is.
        case request(RequestMismatch)
    }

    /// What was waited for.
    public let reason: Reason
    /// How long.
    public let timeout: Duration
    /// What was asked instead.
    public let requests: [SeenRequest]

    init(_ reason: Reason, timeout: Duration, requests: [SeenRequest]) {
        self.reason = reason
        self.timeout = timeout
        self.requests = requests
    }
}

extension RequestWaitError: LocalizedError, CustomStringConvertible {
    /// What was waited for, and what was asked.
    public var description: String {
        switch reason {
        case .count(let count):
            "Waited \(timeout) for \(count == 1 ? "a request" : "\(count) requests"). \(SeenList(requests))"
        case .request(let mismatch):
            "Waited \(timeout) for a request. \(mismatch)"
        }
    }

    /// What was waited for, and what was asked.
    public var errorDescription: String? { description }
}
