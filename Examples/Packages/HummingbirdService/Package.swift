// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HummingbirdService",
    platforms: [.macOS(.v15)],
    dependencies: [
        // no release yet
        .package(url: "https://…/Moya.git", branch: "main", traits: ["NIO", "Observability"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
    ],
    targets: [
        .executableTarget(
            name: "ProfileService",
            dependencies: [
                .product(name: "Moya", package: "Moya"),
                .product(name: "MoyaObservability", package: "Moya"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "ProfileServiceTests",
            dependencies: [
                "ProfileService",
                .product(name: "MoyaTesting", package: "Moya"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
    ]
)
