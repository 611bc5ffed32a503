import Foundation

/// What each piece of work may cost, as it is kept in the repository. No seconds: they say more of the machine than of the
/// code.
struct Thresholds: Codable {
    /// Figures of one kind.
    struct Kind: Codable {
        /// By how much a figure may be above what is written here, in per cent.
        var tolerance: Double
        /// By the name of the work.
        var figures: [String: Double]
    }

    /// Instructions each time, by valgrind.
    var instructions: Kind
    /// The time by that of a fixed piece of work, measured in turns in one process.
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
