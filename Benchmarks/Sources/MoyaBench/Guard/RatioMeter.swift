import Workloads

/// Measures work by a fixed piece of other work, in turns, so that the machine's speed and its other work cancel out.
enum RatioMeter {
    /// Work that no change to the layer makes slower or faster: Foundation alone.
    static let reference = "map-foundation"

    /// The processor time of a workload by that of the reference, each the least of many rounds: what disturbs only adds.
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
