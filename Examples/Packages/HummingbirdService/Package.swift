// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HummingbirdService",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://…/Moya.git", branch: "main"),  // no release yet
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "ProfileService",
            dependencies: [
                .product(name: "Moya", package: "Moya"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "ProfileServiceTests",
            dependencies: [
                "ProfileService",
                .product(name: "MoyaTesting", package: "Moya"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]
        ),
    ]
)
