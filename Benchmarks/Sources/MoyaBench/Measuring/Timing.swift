import Workloads

/// How long a workload takes.
enum Timing {
    /// The time of each repetition, in nanoseconds, in each of so many rounds.
    static func rounds(_ rounds: Int, of workload: Workload, each time: Duration) async throws -> [Double] {
        try await workload.run(20)
        let clock = ContinuousClock()
        // How many fit into a round.
        let probe = try await clock.measure { try await workload.run(50) }
        let count = max(1, Int(50 * (time / probe)))
        var result: [Double] = []
        for _ in 0..<rounds {
            let taken = try await clock.measure { try await workload.run(count) }
            result.append(taken / .nanoseconds(1) / Double(count))
        }
        return result
    }
}
