// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "TestedApplication",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [
        .package(url: "https://…/Moya.git", branch: "main")  // no release yet
    ],
    targets: [
        .target(name: "RepositorySearch", dependencies: [.product(name: "Moya", package: "Moya")]),
        .testTarget(
            name: "RepositorySearchTests",
            dependencies: ["RepositorySearch", .product(name: "MoyaTesting", package: "Moya")]
        ),
    ]
)
