// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "octo",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "Moya", path: "../Moya", traits: ["NIO"])
    ],
    targets: [
        .executableTarget(
            name: "octo",
            dependencies: [.product(name: "Moya", package: "Moya")]
        )
    ]
)
