import Workloads

/// Measures the processor time of a workload, because elapsed time is unreliable on a busy machine.
enum Timing {
    /// Returns the processor time per repetition in nanoseconds, for each round.
    static func rounds(_ rounds: Int, of workload: Workload, each time: Duration) async throws -> [Double] {
        try await workload.run(20)
        let clock = ContinuousClock()
        // A first run calibrates the number of repetitions per round.
        let probe = try await clock.measure { try await workload.run(50) }
        let count = max(1, Int(50 * (time / probe)))
        var result: [Double] = []
        for _ in 0..<rounds {
            let start = ProcessFigures.processorTime
            try await workload.run(count)
            result.append((ProcessFigures.processorTime - start) * 1e9 / Double(count))
        }
        return result
    }
}
