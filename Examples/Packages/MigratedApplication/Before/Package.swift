// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Journal",
    platforms: [.macOS(.v13), .iOS(.v16)],
    dependencies: [
        .package(url: "https://…/Moya.git", branch: "main")  // no release yet
    ],
    targets: [
        .target(
            name: "Journal",
            dependencies: [
                .product(name: "Moya", package: "Moya"),
                .product(name: "MoyaAlamofire", package: "Moya"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v5),
                .unsafeFlags(["-module-alias", "Alamofire=MoyaAlamofire"]),
            ]
        ),
        .testTarget(name: "JournalTests", dependencies: ["Journal"], swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
