import Workloads

/// Measures work relative to a fixed reference, alternately, so that the speed and load of the machine cancel out.
enum RatioMeter {
    /// The reference workload, which uses only Foundation and is independent of the layer.
    static let reference = "map-foundation"

    /// Returns the ratio of the processor times of a workload and the reference, each the minimum of many rounds.
    static func ratio(of workload: Workload, rounds: Int = 31) async throws -> Double {
        guard let reference = Workload.mapping.first(where: { $0.name == reference }) else {
            throw BenchFailure("There is no workload \"\(reference)\".")
        }
        let clock = ContinuousClock()
        let counts = try await [workload, reference].asyncMap { workload in
            try await workload.run(100)
            let probe = try await clock.measure { try await workload.run(100) }
            return max(1, Int(100 * (Duration.milliseconds(15) / probe)))
        }
        var least = [Double.infinity, .infinity]
        for _ in 0..<rounds {
            for (index, workload) in [workload, reference].enumerated() {
                let start = ProcessFigures.processorTime
                try await workload.run(counts[index])
                least[index] = min(least[index], (ProcessFigures.processorTime - start) / Double(counts[index]))
            }
        }
        return least[0] / least[1]
    }
}

extension Array where Element: Sendable {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
