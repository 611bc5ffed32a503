#if NIO && !canImport(Darwin)
@testable import MoyaHTTP
@testable import MoyaNIOTransport

extension ConnectionPoolStateMachine {
    /// Creates a pool whose connections offer only HTTP/1.1.
    static func http1(limit: Int = 2, idleTimeout: Duration = .seconds(60)) -> ConnectionPoolStateMachine {
        ConnectionPoolStateMachine(maximumConnections: limit, protocols: .http1, idleTimeout: idleTimeout)
    }

    /// Creates a pool whose connections offer both versions.
    static func either(limit: Int = 2) -> ConnectionPoolStateMachine {
        ConnectionPoolStateMachine(maximumConnections: limit, protocols: .http2AndHTTP1, idleTimeout: .seconds(60))
    }

    /// Adds a number of requests, and returns the result for each.
    mutating func arrive(_ count: Int = 1, isResent: Bool = false, at now: Duration = .zero) -> [Placement] {
        (0..<count).map { _ in place(isResent ? .resent(age: .zero) : .new, at: now).1 }
    }
}
#endif
