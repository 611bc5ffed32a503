#if Observability
import MetricsTestKit
import MoyaHTTP
import Testing

@testable import MoyaObservability

@Suite("The meters of connections show the last report of each pool")
struct ConnectionMeterTests {
    @Test("reports in the wrong order, and of several pools of one server")
    func order() {
        let metrics = TestMetrics()
        let meter = ConnectionMeter(MetricSeries(MetricsOptions(), factory: metrics))
        func report(_ pool: Int, _ number: Int, active: Int, idle: Int) {
            meter.connectionsChanged(
                ConnectionCounts(
                    server: Origin(scheme: "http", host: "a.example", port: 80),
                    pool: pool,
                    number: number,
                    http1: .init(active: active, idle: idle),
                    http2: .init()
                )
            )
        }
        func value(_ state: String) -> Double? {
            metrics.meters(label: "http.client.open_connections")
                .first { $0.dimensions.contains { $0 == ("http.connection.state", state) } }?.lastValue
        }
        report(1, 1, active: 1, idle: 0)
        report(1, 3, active: 0, idle: 2)
        // This report is older than the last one.
        report(1, 2, active: 2, idle: 0)
        #expect(value("active") == 0)
        #expect(value("idle") == 2)
        report(2, 1, active: 3, idle: 0)
        #expect(value("active") == 3)
        report(1, 4, active: 0, idle: 0)
        #expect(value("active") == 3)
        #expect(value("idle") == 0)
    }

    @Test("further names are refused, and known ones are kept")
    func boundedNames() {
        var names = BoundedNames<String>(maximumCount: 2)
        #expect(["a", "b", "c", "a", "d"].map { names.admit($0) } == [true, true, false, true, false])
    }
}
#endif
