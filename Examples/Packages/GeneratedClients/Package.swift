// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "GeneratedClients",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(url: "https://…/Moya.git", branch: "main", traits: ["NIO", "Macros"])  // no release yet
    ],
    targets: [
        .target(name: "Hiking", dependencies: [.product(name: "Moya", package: "Moya")]),
        .target(name: "Cooking", dependencies: [.product(name: "MoyaMacros", package: "Moya")]),
        .target(name: "Forecasting", dependencies: [.product(name: "MoyaMacros", package: "Moya")]),
        .testTarget(
            name: "GeneratedClientsTests",
            dependencies: ["Hiking", "Cooking", "Forecasting", .product(name: "MoyaTesting", package: "Moya")]
        ),
    ]
)
