import Foundation

/// What the benchmark tool exports, as far as the page needs it.
struct JMHReport {
    private struct Entry: Decodable {
        struct Metric: Decodable {
            var scorePercentiles: [String: Double]
            var scoreUnit: String
        }

        var benchmark: String
        var primaryMetric: Metric
    }

    private let entries: [Entry]

    init(contentsOf file: URL) throws {
        entries = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: file))
    }

    /// The median time of a benchmark's repetition.
    func nanoseconds(of name: String) -> Double? {
        let entry = entries.first { $0.benchmark.hasSuffix(".\(name)") }
        return entry?.primaryMetric.scorePercentiles["50.0"]
    }
}
