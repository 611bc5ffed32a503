/// What one contestant did in a short time.
struct Slice {
    var requests = 0
    var seconds = 0.0
    /// How long this process's threads ran in it, in seconds.
    var processorTime = 0.0

    var rate: Double { Double(requests) / seconds }
    /// In microseconds a request.
    var processorTimeEach: Double { processorTime / Double(requests) * 1e6 }

    static func += (slice: inout Slice, more: Slice) {
        slice.requests += more.requests
        slice.seconds += more.seconds
        slice.processorTime += more.processorTime
    }

    /// Lets a contestant make requests for a time, so many at once, each after the one before.
    static func measure(_ contestant: Contestant, atOnce: Int, for time: Duration) async throws -> Slice {
        let clock = ContinuousClock()
        let before = ProcessFigures.processorTime
        let start = clock.now
        let end = start + time
        let requests = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<atOnce {
                group.addTask {
                    var count = 0
                    while clock.now < end {
                        try await contestant.request()
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
