// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "DownloadClient",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(url: "https://…/Moya.git", branch: "main"),  // no release yet
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .executableTarget(
            name: "download-client",
            dependencies: [
                .product(name: "Moya", package: "Moya"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(
            name: "DownloadClientTests",
            dependencies: ["download-client", .product(name: "MoyaTesting", package: "Moya")]
        ),
    ]
)
