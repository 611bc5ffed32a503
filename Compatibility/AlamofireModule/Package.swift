// swift-tools-version: 6.2
import PackageDescription

/// Provides the module `Alamofire` to applications without a dependency on the real Alamofire: see Documentation/MigrationFromAlamofire.md.
let package = Package(
    name: "AlamofireModule",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "AlamofireModule", targets: ["Alamofire"])],
    // The application chooses the traits of Moya.
    dependencies: [.package(name: "Moya", path: "../..", traits: [])],
    targets: [.target(name: "Alamofire", dependencies: [.product(name: "MoyaAlamofire", package: "Moya")])]
)
