// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Journal",
    platforms: [.macOS(.v13), .iOS(.v16)],
    dependencies: [
        .package(url: "https://…/Moya.git", branch: "main")  // no release yet
    ],
    targets: [
        .target(name: "Journal", dependencies: [.product(name: "Moya", package: "Moya")]),
        .testTarget(
            name: "JournalTests",
            dependencies: ["Journal", .product(name: "MoyaTesting", package: "Moya")]
        ),
    ]
)
