import Benchmark
import Workloads

/// Each piece of the layer's own work, a thousand times in a sample.
let benchmarks: @Sendable () -> Void = {
    for workload in Workload.pipeline {
        let configuration = Benchmark.Configuration(
            metrics: [.wallClock, .throughput, .instructions],
            scalingFactor: .kilo,
            maxDuration: .seconds(2)
        )
        Benchmark(workload.name, configuration: configuration) { benchmark in
            try await workload.run(benchmark.scaledIterations.count)
        }
    }
}
