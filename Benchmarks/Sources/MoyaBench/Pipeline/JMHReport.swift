import Foundation

/// The part of the benchmark tool's export that the page needs.
struct JMHReport {
    private struct Entry: Decodable {
        struct Metric: Decodable {
            var scorePercentiles: [String: Double]
        }

        var benchmark: String
        var secondaryMetrics: [String: Metric]
    }

    private let entries: [Entry]

    init(contentsOf file: URL) throws {
        entries = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: file))
    }

    /// Returns the median time per repetition: the export has microseconds per sample of a thousand repetitions.
    func nanoseconds(of name: String) -> Double? {
        let entry = entries.first { $0.benchmark.hasSuffix(".\(name)") }
        return entry?.secondaryMetrics["Time (wall clock)"]?.scorePercentiles["50.0"]
    }
}
