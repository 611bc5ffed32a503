import Foundation

/// The two timeouts of an attempt, from the request and the configuration.
struct SessionTimeouts: Equatable, Sendable {
    /// The time without a byte, in each exchange.
    let idle: Duration
    /// The time of all exchanges of the attempt.
    let attempt: Duration

    /// Creates the timeouts of requests that do not set their own.
    init(_ configuration: URLSessionConfiguration) {
        self.init(
            request: Self.foundationDefault,
            idle: configuration.timeoutIntervalForRequest,
            attempt: configuration.timeoutIntervalForResource
        )
    }

    /// Creates timeouts from `URLRequest.timeoutInterval`, and a configuration's `timeoutIntervalForRequest` and
    /// `timeoutIntervalForResource`, in seconds.
    ///
    /// If the request has Foundation's default of 60 seconds, or a value that is not positive, the configuration's is used. A
    /// value of the configuration that is not positive means no limit.
    init(request: TimeInterval, idle: TimeInterval, attempt: TimeInterval) {
        self.idle = Self.limit(Self.isSet(request) ? request : idle)
        self.attempt = Self.limit(attempt)
    }

    private init(idle: Duration, attempt: Duration) {
        self.idle = idle
        self.attempt = attempt
    }

    /// Returns the timeouts for a request with a `timeoutInterval`.
    func replaced(by request: TimeInterval) -> SessionTimeouts {
        Self.isSet(request) ? SessionTimeouts(idle: Self.limit(request), attempt: attempt) : self
    }

    private static func isSet(_ request: TimeInterval) -> Bool { request > 0 && request != foundationDefault }

    private static let foundationDefault: TimeInterval = 60

    private static func limit(_ seconds: TimeInterval) -> Duration {
        Duration(clampingSeconds: seconds > 0 ? seconds : .infinity)
    }
}
