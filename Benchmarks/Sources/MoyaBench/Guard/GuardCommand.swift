import ArgumentParser
import Foundation
import Workloads

/// Fails if a workload costs more than its threshold.
struct GuardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guard",
        abstract: "Compares instructions, or ratios without valgrind, with the thresholds; fails above one."
    )

    @Option(help: "The file that has the thresholds.")
    var thresholds: String
    @Flag(help: "Writes what is measured as the new thresholds.")
    var update = false
    @Flag(help: "Compares or writes only ratios, even if valgrind is available.")
    var ratios = false

    @Option(help: "Compares only workloads whose name contains this.")
    var only: String?

    private var file: URL { URL(fileURLWithPath: thresholds) }

    func run() async throws {
        let counter = InstructionCounter.find()
        if update, only != nil { throw ValidationError("--update writes all thresholds: leave --only out.") }
        if update { return try await write(counter) }
        let known = try Thresholds.read(from: file)
        let findings: [GuardFinding]
        if let counter, !ratios {
            print("By instructions each time, which valgrind counts.\n")
            findings = try await compare(instructions(counter), known.instructions)
        } else {
            print("By the time's ratio to that of fixed work\(ratios ? "" : ": there is no valgrind here").\n")
            findings = compare(try await ratioFigures(), known.ratios)
        }
        print(Text.table(["Work", "now", "threshold", "change", ""], findings.map(\.row)))
        let failed = findings.filter(\.isExceeded).map(\.name)
        guard failed.isEmpty else {
            print("\nToo slow: \(failed.joined(separator: ", ")). If this is intended: scripts/bench/guard --update")
            throw ExitCode.failure
        }
        print("\nNothing is slower than it was.")
    }

    private func compare(_ measured: [(name: String, value: Double)], _ known: Thresholds.Kind) -> [GuardFinding] {
        measured.map {
            GuardFinding(
                name: $0.name,
                measured: $0.value,
                expected: known.figures[$0.name],
                tolerance: known.tolerance
            )
        }
    }

    private func write(_ counter: InstructionCounter?) async throws {
        var new = (try? Thresholds.read(from: file)) ?? .none
        if let counter, !ratios {
            let figures = try await instructions(counter).map { ($0.name, $0.value.rounded()) }
            new.instructions.figures = Dictionary(uniqueKeysWithValues: figures)
        } else {
            print("The thresholds of instructions stay as they are\(ratios ? "" : ": there is no valgrind here").")
        }
        let figures = try await ratioFigures().map { ($0.name, ($0.value * 1_000).rounded() / 1_000) }
        new.ratios.figures = Dictionary(uniqueKeysWithValues: figures)
        try new.write(to: file)
        print("Written: \(file.path)")
    }

    /// Returns the instructions of the workloads without a network and of live requests in this process.
    private func instructions(_ counter: InstructionCounter) async throws -> [(name: String, value: Double)] {
        let server = try ServerProcess.start()
        defer { server.stop() }
        var figures = try guarded.map { ($0.name, try counter.instructions(of: $0.name)) }
        for name in ["live-get", "live-post"] where isSelected(name) {
            figures.append((name, try counter.instructions(of: name, server: server.plain)))
        }
        return figures
    }

    private func ratioFigures() async throws -> [(name: String, value: Double)] {
        var figures: [(String, Double)] = []
        for workload in guarded { figures.append((workload.name, try await RatioMeter.ratio(of: workload))) }
        return figures
    }

    private var guarded: [Workload] {
        Workload.pipeline.filter { $0.name != RatioMeter.reference && isSelected($0.name) }
    }

    private func isSelected(_ name: String) -> Bool { only.map { name.contains($0) } ?? true }
}
