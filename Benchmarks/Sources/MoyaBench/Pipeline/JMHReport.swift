import Foundation

/// What the benchmark tool exports, as far as the page needs it.
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

    /// The median time of a benchmark's repetition: the export has microseconds for a sample, which is a thousand.
    func nanoseconds(of name: String) -> Double? {
        let entry = entries.first { $0.benchmark.hasSuffix(".\(name)") }
        return entry?.secondaryMetrics["Time (wall clock)"]?.scorePercentiles["50.0"]
    }
}
