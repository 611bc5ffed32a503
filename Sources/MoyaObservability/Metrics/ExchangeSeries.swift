#if Observability
import CoreMetrics
import MoyaLocks

/// The metrics of exchanges with the same method, server and template: the first part of their dimensions.
///
/// Each exchange finds it by one search, and its metrics among few.
final class ExchangeSeries: Sendable {
    /// The rest of the dimensions, which are known at the end of an exchange.
    struct Outcome: Equatable, Sendable {
        var status = 0
        var version: String?
        var errorType: String?
    }

    /// The metrics of exchanges with all dimensions.
    struct Metrics: Sendable {
        let duration: CoreMetrics.Timer
        let requestBodySize: Recorder?
        let responseBodySize: Recorder?
    }

    let server: ServerName
    /// The number of running exchanges.
    let active: Meter
    private let make: @Sendable (Outcome) -> Metrics
    private let known = Locked<[(outcome: Outcome, metrics: Metrics)]>([])

    /// Creates a series; `make` creates the metrics of an outcome, without a lock.
    init(server: ServerName, active: Meter, make: @escaping @Sendable (Outcome) -> Metrics) {
        (self.server, self.active, self.make) = (server, active, make)
    }

    /// Returns the metrics of an outcome.
    func metrics(of outcome: Outcome) -> Metrics {
        if let metrics = known.withLock({ $0.first { $0.outcome == outcome } })?.metrics { return metrics }
        let made = make(outcome)
        return known.withLock { known in
            if let other = known.first(where: { $0.outcome == outcome }) { return other.metrics }
            known.append((outcome, made))
            return made
        }
    }
}
#endif
