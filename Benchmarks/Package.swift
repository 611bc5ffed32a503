// swift-tools-version: 6.2
import PackageDescription

/// Makes warnings errors in all targets of this package.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// The benchmarks are a separate package, so that users and developers of the library do not need its dependencies.
let package = Package(
    name: "MoyaBenchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "moya-bench", targets: ["moya-bench"])
    ],
    dependencies: [
        .package(name: "Moya", path: "..", traits: [.defaults, "Observability"]),
        // The interposers of malloc and the runtime are off, because CAllocationCounter counts the same at less cost.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
    ],
    targets: [
        // This target counts the allocations of the process by interposing the functions of the C library.
        .target(name: "CAllocationCounter"),
        // This target has the workloads that both executables measure.
        .target(
            name: "Workloads",
            dependencies: [
                .product(name: "Moya", package: "Moya"),
                .product(name: "MoyaObservability", package: "Moya"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        // This target has the benchmarks for `swift package benchmark`, which looks for targets in a folder named Benchmarks.
        .executableTarget(
            name: "Pipeline",
            dependencies: [
                "Workloads",
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/Pipeline",
            swiftSettings: strict,
            plugins: [
                .plugin(name: "BenchmarkPlugin", package: "benchmark")
            ]
        ),
        // This program sends one request through a provider; `moya-bench first` measures its time from the start of the process.
        .executableTarget(
            name: "moya-first",
            dependencies: [
                "Workloads",
                .product(name: "Moya", package: "Moya"),
            ],
            path: "Sources/MoyaFirst",
            swiftSettings: strict
        ),
        // This program makes the measurements that the benchmark tool does not support: interleaved contestants in one process,
        // memory, allocations, the guard and the page.
        .executableTarget(
            name: "moya-bench",
            dependencies: [
                "CAllocationCounter", "Workloads",
                .product(name: "Moya", package: "Moya"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
            ],
            path: "Sources/MoyaBench",
            swiftSettings: strict,
            // Debug information is removed, because valgrind 3.19 cannot read it. The symbol names are kept.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"], .when(platforms: [.linux]))]
        ),
    ]
)
