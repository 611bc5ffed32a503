// swift-tools-version: 6.2
import PackageDescription

// The package has no dependencies, so that it is built and the table is measured in release and debug within a few minutes. All
// targets except the table link to the library's files.
let package = Package(
    name: "JSONTable",
    targets: [
        .target(name: "MoyaLocks"),
        .target(name: "MoyaJSON", dependencies: ["MoyaLocks"]),
        .executableTarget(name: "json-table", dependencies: ["MoyaJSON"], path: "Sources/Table"),
    ]
)
