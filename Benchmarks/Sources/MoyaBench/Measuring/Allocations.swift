import CAllocationCounter
import Workloads

/// The allocations of a workload per repetition.
struct Allocations {
    var count: Double
    /// The requested bytes.
    var bytes: Double

    /// Counts the allocations of all threads while a workload runs; `nil` if that is not supported.
    static func each(of workload: Workload, in count: Int = 2_000) async throws -> Allocations? {
        guard allocation_counter_works() else { return nil }
        // This run is not counted, because it includes one-time initialization.
        try await workload.run(count / 10 + 10)
        let before = allocation_counter_read()
        allocation_counter_set(true)
        defer { allocation_counter_set(false) }
        try await workload.run(count)
        let after = allocation_counter_read()
        return Allocations(
            count: Double(after.allocations - before.allocations) / Double(count),
            bytes: Double(after.bytes - before.bytes) / Double(count)
        )
    }
}
