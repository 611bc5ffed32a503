// swift-tools-version: 6.2
import PackageDescription

/// The module `Alamofire`, for applications none of whose dependencies has the real one: see Documentation/Migration.md.
let package = Package(
    name: "AlamofireModule",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "AlamofireModule", targets: ["Alamofire"])],
    // The traits are those that the application chooses for Moya.
    dependencies: [.package(name: "Moya", path: "../..", traits: [])],
    targets: [.target(name: "Alamofire", dependencies: [.product(name: "MoyaAlamofire", package: "Moya")])]
)
