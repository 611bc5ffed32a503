// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours: language mode 6 comes with the tools version; warnings stop the build.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// A package of its own, so that who builds or tests the library needs nothing of this.
let package = Package(
    name: "MoyaBenchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "moya-bench", targets: ["moya-bench"])
    ],
    dependencies: [
        .package(name: "Moya", path: ".."),
        // Without its interposers of malloc and of the runtime: what they count, CAllocationCounter counts for less.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        // Counts what the process allocates, by standing in front of the C library's functions.
        .target(name: "CAllocationCounter"),
        // The pieces of work that are measured, the same for each that measures them.
        .target(
            name: "Workloads",
            dependencies: [
                .product(name: "Moya", package: "Moya")
            ],
            swiftSettings: strict
        ),
        // What the benchmark tool measures: `swift package benchmark`. It looks for targets in a folder named Benchmarks.
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
        // What the tool can't: contestants interleaved in one process, memory, allocations, the guard, the page.
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
            // Without debug information, at which valgrind 3.19 gives up. The names of functions stay.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"], .when(platforms: [.linux]))]
        ),
    ]
)
