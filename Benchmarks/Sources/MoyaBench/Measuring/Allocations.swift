import CAllocationCounter
import Workloads

/// What a workload allocates each time.
struct Allocations {
    var count: Double
    /// In bytes, as they were asked for.
    var bytes: Double

    /// Counts what all threads allocate while a workload runs. `nil` where that can't be counted.
    static func each(of workload: Workload, in count: Int = 2_000) async throws -> Allocations? {
        guard allocation_counter_works() else { return nil }
        // What is made once is not what each costs.
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
