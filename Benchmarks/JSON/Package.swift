// swift-tools-version: 6.2
import PackageDescription

// A package without dependencies, so that the table is measured in release and debug within a few minutes. Its targets except the
// table itself are links to the library's files.
let package = Package(
    name: "JSONTable",
    targets: [
        .target(name: "MoyaLocks"),
        .target(name: "Codec", dependencies: ["MoyaLocks"]),
        .executableTarget(name: "json-table", dependencies: ["Codec"], path: "Sources/Table"),
    ]
)
