import Foundation

/// The thresholds of all workloads, as stored in the repository.
///
/// They contain no times, which depend more on the machine than on the code.
struct Thresholds: Codable {
    /// The figures of one kind.
    struct Kind: Codable {
        /// The allowed increase of a figure in percent.
        var tolerance: Double
        /// The figures by name of the workload.
        var figures: [String: Double]
    }

    /// The instructions per repetition, counted by valgrind.
    var instructions: Kind
    /// The time relative to a fixed reference, measured alternately in one process.
    var ratios: Kind

    static func read(from file: URL) throws -> Thresholds {
        do {
            return try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: file))
        } catch {
            throw BenchFailure("There are no thresholds in \(file.path) (--update writes them): \(error)")
        }
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: file)
    }

    static let none = Thresholds(
        instructions: Kind(tolerance: 5, figures: [:]),
        ratios: Kind(tolerance: 8, figures: [:])
    )
}
