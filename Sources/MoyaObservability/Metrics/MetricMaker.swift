#if Observability
import CoreMetrics

/// Creates metrics with dimensions of which some have no value.
struct MetricMaker: Sendable {
    let absentDimensions: MetricsOptions.AbsentDimensions
    let factory: any MetricsFactory

    func timer(_ name: MetricName, _ dimensions: [(String, String?)]) -> CoreMetrics.Timer {
        CoreMetrics.Timer(
            label: name.rawValue,
            dimensions: present(dimensions),
            preferredDisplayUnit: .seconds,
            factory: factory
        )
    }

    func recorder(_ name: MetricName, _ dimensions: [(String, String?)]) -> Recorder {
        Recorder(label: name.rawValue, dimensions: present(dimensions), aggregate: true, factory: factory)
    }

    func meter(_ name: MetricName, _ dimensions: [(String, String?)]) -> Meter {
        Meter(label: name.rawValue, dimensions: present(dimensions), factory: factory)
    }

    func counter(_ name: MetricName, _ dimensions: [(String, String?)]) -> Counter {
        Counter(label: name.rawValue, dimensions: present(dimensions), factory: factory)
    }

    /// Returns the dimensions, and those without a value as the option says.
    private func present(_ dimensions: [(String, String?)]) -> [(String, String)] {
        dimensions.compactMap { name, value in
            value.map { (name, $0) } ?? (absentDimensions == .empty ? (name, "") : nil)
        }
    }
}
#endif
