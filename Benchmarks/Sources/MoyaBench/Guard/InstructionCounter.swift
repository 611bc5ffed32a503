import Foundation

/// Counts the instructions of a workload with valgrind.
///
/// perf's counters would be faster, but are not available in most virtual machines.
struct InstructionCounter {
    private let valgrind: String
    private let program: String

    /// Finds valgrind; `nil` if it is not installed.
    static func find() -> InstructionCounter? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let path = folders.map { "\($0)/valgrind" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let path, let program = try? ServerProcess.ownPath() else { return nil }
        return InstructionCounter(valgrind: path, program: program)
    }

    /// Returns the instructions per repetition of a workload.
    ///
    /// - Parameters:
    ///   - workload: The name of the workload.
    ///   - count: The number of additional repetitions in the second run.
    ///   - server: The URL of the server, for live requests.
    /// - Returns: The number of instructions.
    /// - Throws: ``BenchFailure`` if the workload fails.
    func instructions(of workload: String, count: Int = 400, server: URL? = nil) throws -> Double {
        let first = try countInstructions(of: workload, repetitions: 100, server: server)
        let second = try countInstructions(of: workload, repetitions: 100 + count, server: server)
        return Double(second - first) / Double(count)
    }

    private func countInstructions(of workload: String, repetitions: Int, server: URL?) throws -> Int {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: valgrind)
        process.arguments =
            ["--tool=callgrind", "--callgrind-out-file=/dev/null", program, "repeat", workload, "\(repetitions)"]
            + (server.map { ["--server", $0.absoluteString] } ?? [])
        var environment = ProcessInfo.processInfo.environment
        // Random hash values would change the number of instructions.
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        process.environment = environment
        let errors = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0,
            let line = text.split(separator: "\n").first(where: { $0.contains("Collected :") }),
            let total = line.split(separator: " ").last.flatMap({ Int($0) })
        else { throw BenchFailure("valgrind did not count \"\(workload)\":\n\(text.suffix(2_000))") }
        return total
    }
}
