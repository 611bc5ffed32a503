import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The two time-outs of an exchange, from what the request and the configuration say.
struct SessionTimeouts: Equatable, Sendable {
    let idle: Duration
    let total: Duration

    /// The time-outs of requests that say nothing else.
    init(_ configuration: URLSessionConfiguration) {
        self.init(
            request: Self.foundationDefault,
            idle: configuration.timeoutIntervalForRequest,
            total: configuration.timeoutIntervalForResource
        )
    }

    /// - Parameters:
    ///   - request: `URLRequest.timeoutInterval`. At Foundation's default of 60 seconds, or no positive number, the
    ///     configuration decides; any other value wins over it.
    ///   - configuration: `timeoutIntervalForRequest` and `timeoutIntervalForResource`, in seconds. What is no positive
    ///     number means no limit.
    init(request: TimeInterval, idle: TimeInterval, total: TimeInterval) {
        self.idle = Self.limit(Self.isSet(request) ? request : idle)
        self.total = Self.limit(total)
    }

    private init(idle: Duration, total: Duration) {
        self.idle = idle
        self.total = total
    }

    /// These, but for what a request says.
    func replaced(by request: TimeInterval) -> SessionTimeouts {
        Self.isSet(request) ? SessionTimeouts(idle: Self.limit(request), total: total) : self
    }

    private static func isSet(_ request: TimeInterval) -> Bool { request > 0 && request != foundationDefault }

    private static let foundationDefault: TimeInterval = 60

    private static func limit(_ seconds: TimeInterval) -> Duration {
        Duration(clampingSeconds: seconds > 0 ? seconds : .infinity)
    }
}
