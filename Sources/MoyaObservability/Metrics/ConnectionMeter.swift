#if Observability
import CoreMetrics
import MoyaHTTP
import MoyaLocks

/// Measures the connections of a transport.
final class ConnectionMeter: ConnectionObserver {
    /// A pool of connections of one transport.
    private struct Pool: Sendable {
        var number = 0
        var http1 = ConnectionCounts.States()
        var http2 = ConnectionCounts.States()

        var isEmpty: Bool { http1 == .init() && http2 == .init() }
    }

    /// The number of pools from which on those without connections are forgotten.
    private static let keptCount = 1_000

    private let series: MetricSeries
    private let pools = Locked<[Int: Pool]>([:])

    init(_ series: MetricSeries) { self.series = series }

    func connectionsChanged(_ counts: ConnectionCounts) {
        // Reports of one pool may arrive in the wrong order. The differences between the reports that count add up to the number, in
        // whatever order they reach the meters.
        let before = pools.withLock { pools -> Pool? in
            let before = pools[counts.pool] ?? Pool()
            guard counts.number > before.number else { return nil }
            if pools.count >= Self.keptCount { pools = pools.filter { !$0.value.isEmpty } }
            pools[counts.pool] = Pool(number: counts.number, http1: counts.http1, http2: counts.http2)
            return before
        }
        guard let before else { return }
        let server = series.bounded(ServerName(counts.server))
        record(counts.http1, before.http1, version: "1.1", server)
        record(counts.http2, before.http2, version: "2", server)
    }

    func connectionClosed(_ connection: ObservedConnection, after age: Duration) {
        let version = connection.isHTTP2 ? "2" : "1.1"
        series.timer(
            .connectionDuration,
            series.bounded(ServerName(connection.server)),
            [("network.protocol.version", version)]
        ).record(age)
    }

    private func record(
        _ now: ConnectionCounts.States,
        _ before: ConnectionCounts.States,
        version: String,
        _ server: ServerName
    ) {
        for (state, change) in [("active", now.active - before.active), ("idle", now.idle - before.idle)]
        where change != 0 {
            let dimensions: [(String, String?)] = [
                ("http.connection.state", state), ("network.protocol.version", version),
            ]
            let meter = series.meter(.openConnections, server, dimensions)
            // Backends ignore a negative increment.
            if change > 0 { meter.increment(by: Double(change)) } else { meter.decrement(by: Double(-change)) }
        }
    }
}
#endif
