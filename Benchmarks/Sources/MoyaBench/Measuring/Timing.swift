import Workloads

/// How long a workload takes the processor: on a busy machine the clock says little.
enum Timing {
    /// The processor time of each repetition, in nanoseconds, in each of so many rounds.
    static func rounds(_ rounds: Int, of workload: Workload, each time: Duration) async throws -> [Double] {
        try await workload.run(20)
        let clock = ContinuousClock()
        // How many fit into a round.
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
