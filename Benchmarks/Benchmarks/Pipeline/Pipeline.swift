import Benchmark
import Workloads

/// Registers the benchmarks of the layer without a network, with a thousand repetitions per sample.
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
