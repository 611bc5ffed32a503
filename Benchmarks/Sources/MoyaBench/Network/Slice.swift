/// The figures of one contestant in a slice of time.
struct Slice {
    var requests = 0
    var seconds = 0.0
    /// The processor time of the client's process in seconds.
    var processorTime = 0.0
    /// The processor time of the server's process in seconds, where it is measured.
    var serverTime = 0.0

    var rate: Double { Double(requests) / seconds }
    /// The processor time per request in microseconds.
    var processorTimeEach: Double { processorTime / Double(requests) * 1e6 }
    /// The server's processor time per request in microseconds.
    var serverTimeEach: Double { serverTime / Double(requests) * 1e6 }

    static func += (slice: inout Slice, more: Slice) {
        slice.requests += more.requests
        slice.seconds += more.seconds
        slice.processorTime += more.processorTime
        slice.serverTime += more.serverTime
    }

    /// Measures requests for a time, with a number of concurrent loops, which run on the executors in turn, if there are any.
    static func measure(
        concurrency: Int,
        for time: Duration,
        on executors: [any TaskExecutor] = [],
        request: @escaping @Sendable () async throws -> Void
    ) async throws -> Slice {
        let clock = ContinuousClock()
        let before = ProcessFigures.processorTime
        let start = clock.now
        let end = start + time
        let requests = try await withThrowingTaskGroup(of: Int.self) { group in
            for place in 0..<concurrency {
                group.addTask(on: executors.isEmpty ? nil : executors[place % executors.count]) {
                    var count = 0
                    while clock.now < end {
                        try await request()
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return Slice(
            requests: requests,
            seconds: (clock.now - start) / .seconds(1),
            processorTime: ProcessFigures.processorTime - before
        )
    }
}
