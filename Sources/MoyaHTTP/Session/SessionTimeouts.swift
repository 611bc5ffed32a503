import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The two time-outs of an exchange, from what the request and the configuration say.
struct SessionTimeouts: Equatable, Sendable {
    let idle: Duration
    let total: Duration

    /// - Parameters:
    ///   - request: `URLRequest.timeoutInterval`. At Foundation's default of 60 seconds, or no positive number, the
    ///     configuration decides; any other value wins over it.
    ///   - configuration: `timeoutIntervalForRequest` and `timeoutIntervalForResource`, in seconds. What is no positive
    ///     number means no limit.
    init(request: TimeInterval, idle: TimeInterval, total: TimeInterval) {
        let isSet = request > 0 && request != Self.foundationDefault
        self.idle = Self.limit(isSet ? request : idle)
        self.total = Self.limit(total)
    }

    private static let foundationDefault: TimeInterval = 60

    private static func limit(_ seconds: TimeInterval) -> Duration {
        Duration(clampingSeconds: seconds > 0 ? seconds : .infinity)
    }
}
