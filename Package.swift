// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

/// Every target of ours: language mode 6 comes with the tools version; warnings stop the build if MOYA_STRICT is set, as in .ci/run.
///
/// Never in the builds of applications: Xcode compiles remote packages with -suppress-warnings, and the compiler refuses both together.
let strict: [SwiftSetting] = Context.environment["MOYA_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// The privacy manifest of a target whose code uses APIs for which Apple requires a reason: see scripts/check/privacy.
///
/// Only on a Mac, where everything for Apple's platforms is built: elsewhere a resource would add a bundle beside the program.
#if canImport(Darwin)
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
let withoutPrivacyManifest: [String] = []
#else
let privacyManifest: [Resource] = []
let withoutPrivacyManifest = ["PrivacyInfo.xcprivacy"]
#endif

/// Apple's platforms have URLSession, so that applications there do not compile NIO.
let withNIO = TargetDependencyCondition.when(platforms: [.linux, .android, .openbsd], traits: ["NIO"])

let withAsyncHTTPClient = TargetDependencyCondition.when(
    platforms: [.linux, .android, .openbsd],
    traits: ["AsyncHTTPClient"]
)

/// Apple's platforms have Combine.
let withOpenCombine = TargetDependencyCondition.when(
    platforms: [.linux, .android, .openbsd, .windows],
    traits: ["OpenCombine"]
)

/// The packages of MoyaObservability.
let withObservability = TargetDependencyCondition.when(traits: ["Observability"])

/// The products of swift-syntax that the macros' plugin and their tests use.
func swiftSyntax(_ products: String...) -> [Target.Dependency] {
    products.map { .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"])) }
}

/// Lets `import Alamofire` find MoyaAlamofire, as an application can. (SwiftPM rejects unsafe flags in
/// products that other packages use; tests and examples are none.)
let alamofire: [SwiftSetting] = [.unsafeFlags(["-module-alias", "Alamofire=MoyaAlamofire"])]

let package = Package(
    name: "Moya",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Moya", targets: ["Moya"]),
        .library(name: "MoyaHTTP", targets: ["MoyaHTTP"]),
        .library(name: "CombineMoya", targets: ["CombineMoya"]),
        .library(name: "RxMoya", targets: ["RxMoya"]),
        .library(name: "ReactiveMoya", targets: ["ReactiveMoya"]),
        .library(name: "MoyaHAR", targets: ["MoyaHAR"]),
        .library(name: "MoyaTesting", targets: ["MoyaTesting"]),
        .library(name: "MoyaMacros", targets: ["MoyaMacros"]),
        .library(name: "MoyaAlamofire", targets: ["MoyaAlamofire"]),
        .library(name: "MoyaAsyncHTTPClient", targets: ["MoyaAsyncHTTPClient"]),
        .library(name: "MoyaObservability", targets: ["MoyaObservability"]),
        .plugin(name: "MoyaGenerate", targets: ["MoyaGenerate"]),
    ],
    traits: [
        // Macros are among them, as an Xcode project cannot choose traits before Xcode 26.4: see Documentation/Installation.md.
        .default(enabledTraits: ["NIO", "OpenCombine", "Macros"]),
        .trait(
            name: "NIO",
            description: "SwiftNIO, for NIOTransport, the default on Linux. Without it: URLSession."
        ),
        .trait(
            name: "AsyncHTTPClient",
            description: "AsyncHTTPClient, for MoyaAsyncHTTPClient. Without it MoyaAsyncHTTPClient is empty.",
            enabledTraits: ["NIO"]
        ),
        .trait(
            name: "OpenCombine",
            description: "OpenCombine, for CombineMoya where there is no Combine. Without it CombineMoya is empty."
        ),
        .trait(
            name: "Macros",
            description: "swift-syntax, for MoyaMacros; built by those who import it. Without it MoyaMacros is empty."
        ),
        .trait(
            name: "Observability",
            description: "Packages of observability, for MoyaObservability. Without it MoyaObservability is empty."
        ),
        .trait(name: "RxSwift", description: "RxSwift, for RxMoya. Without it RxMoya is empty."),
        .trait(
            name: "ReactiveSwift",
            description: "ReactiveSwift, for ReactiveMoya. Without it ReactiveMoya is empty."
        ),
        .trait(name: "Brotli", description: "Decodes responses in Brotli by the system's libbrotlidec."),
        .trait(name: "Zstd", description: "Decodes responses in Zstandard by the system's libzstd."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/ReactiveX/RxSwift", from: "6.9.0"),
        .package(url: "https://github.com/ReactiveCocoa/ReactiveSwift", from: "7.1.0"),
        // As wide as the code compiles: 602 is the first with FixIt.Change.replaceText. All packages of an application must
        // agree on one version, also where only the macros of another package need it.
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"605.0.0"),
        // The following packages serve the command-line tool and the tests. An application that depends on this package does not fetch them.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.19.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        // To show that decoders of other packages plug in.
        .package(url: "https://github.com/CoreOffice/XMLCoder", from: "0.18.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    ],
    targets: [
        // The system's zlib, whose headers the Swift toolchain needs itself on Linux, and which is in Apple's SDKs.
        // Other packages have a target named CZlib, and names must be unique.
        .systemLibrary(name: "CMoyaZlib"),
        // Libraries of the system that only the traits look for.
        .systemLibrary(
            name: "CMoyaBrotli",
            pkgConfig: "libbrotlidec",
            providers: [.apt(["libbrotli-dev"]), .yum(["brotli-devel"]), .brew(["brotli"])]
        ),
        .systemLibrary(
            name: "CMoyaZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .yum(["libzstd-devel"]), .brew(["zstd"])]
        ),
        // State that threads share. No product: applications do not see it.
        .target(name: "MoyaLocks", swiftSettings: strict),
        // The Public Suffix List, which is under the MPL 2.0, and its look-up.
        .target(name: "MoyaPublicSuffixList", exclude: ["NOTICE"], swiftSettings: strict),
        // JSON text. No product: applications do not see it.
        .target(name: "MoyaJSON", dependencies: ["MoyaLocks"], swiftSettings: strict),
        // The layers of MoyaHTTP, from the bottom to the top: the compiler keeps them apart, and MoyaHTTP exports them.
        // Header fields, dates and URLs.
        .target(
            name: "MoyaHTTPFields",
            dependencies: ["MoyaJSON", "MoyaLocks", .product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: strict
        ),
        // The mask for secrets in texts, bodies and errors.
        .target(name: "MoyaSecretMasking", dependencies: ["MoyaHTTPFields", "MoyaJSON"], swiftSettings: strict),
        // Bodies, their codings, files and hashes, and the protocol of transports with its requests and responses.
        .target(
            name: "MoyaHTTPMessages",
            dependencies: [
                "CMoyaZlib", "MoyaHTTPFields", "MoyaLocks", "MoyaSecretMasking",
                .target(name: "CMoyaBrotli", condition: .when(traits: ["Brotli"])),
                .target(name: "CMoyaZstd", condition: .when(traits: ["Zstd"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: withoutPrivacyManifest,
            resources: privacyManifest,
            swiftSettings: strict
        ),
        // The protocol of WebSockets: frames, messages, compression, the handshake and the state machine, without I/O.
        .target(
            name: "MoyaWebSockets",
            dependencies: [
                "CMoyaZlib", "MoyaHTTPFields", "MoyaHTTPMessages",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        // Cookies, their rules and their storages.
        .target(
            name: "MoyaHTTPCookies",
            dependencies: [
                "MoyaHTTPMessages", "MoyaLocks", "MoyaPublicSuffixList",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        // The parts that transports share: exchanges, configuration, proxies, resolvers, server trust and challenges.
        .target(
            name: "MoyaHTTPTransportCore",
            dependencies: [
                "MoyaHTTPMessages", "MoyaLocks", "MoyaPublicSuffixList",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        // The transport over URLSession.
        .target(
            name: "MoyaURLSessionTransport",
            dependencies: [
                "MoyaHTTPTransportCore", "MoyaLocks", "MoyaWebSockets",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        // The transport over SwiftNIO. Without the trait, it consists of the state machines that do not use SwiftNIO.
        .target(
            name: "MoyaNIOTransport",
            dependencies: [
                "MoyaHTTPTransportCore", "MoyaJSON", "MoyaLocks", "MoyaPublicSuffixList",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio", condition: withNIO),
                .product(name: "NIOPosix", package: "swift-nio", condition: withNIO),
                .product(name: "NIOFoundationCompat", package: "swift-nio", condition: withNIO),
                .product(name: "NIOTLS", package: "swift-nio", condition: withNIO),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: withNIO),
                .product(name: "NIOHPACK", package: "swift-nio-http2", condition: withNIO),
            ],
            swiftSettings: strict
        ),
        // Sessions, the stages of their pipeline, the cache, downloads and parameter encodings.
        .target(
            name: "MoyaHTTP",
            dependencies: [
                "MoyaHTTPCookies", "MoyaHTTPFields", "MoyaHTTPMessages", "MoyaHTTPTransportCore", "MoyaJSON",
                "MoyaLocks", "MoyaSecretMasking", "MoyaURLSessionTransport", "MoyaWebSockets",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .target(name: "MoyaNIOTransport", condition: withNIO),
            ],
            swiftSettings: strict
        ),
        // The transport over an AsyncHTTPClient of the application. Empty without the trait.
        .target(
            name: "MoyaAsyncHTTPClient",
            dependencies: [
                "MoyaHTTP", "MoyaLocks",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: withAsyncHTTPClient),
                .product(name: "NIOCore", package: "swift-nio", condition: withAsyncHTTPClient),
                .product(name: "NIOFoundationCompat", package: "swift-nio", condition: withAsyncHTTPClient),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: withAsyncHTTPClient),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: withAsyncHTTPClient),
            ],
            swiftSettings: strict
        ),
        // Spans, metrics and logs of a session's requests, and its lifecycle in a server. Empty without the trait.
        .target(
            name: "MoyaObservability",
            dependencies: [
                "MoyaHTTP", "MoyaLocks", "MoyaSecretMasking",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: withObservability),
                .product(name: "Metrics", package: "swift-metrics", condition: withObservability),
                .product(name: "Logging", package: "swift-log", condition: withObservability),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: withObservability),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Moya",
            dependencies: ["MoyaHTTP", "MoyaJSON"],
            swiftSettings: strict
        ),
        // The names that applications for Moya 15 take from Alamofire. A target named Alamofire would keep applications from resolving
        // that have the real one among their dependencies: see Documentation/MigrationFromAlamofire.md.
        .target(
            name: "MoyaAlamofire",
            dependencies: ["Moya", "MoyaHTTP", .product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: strict
        ),
        .target(
            name: "CombineMoya",
            dependencies: [
                "Moya",
                .product(name: "OpenCombineShim", package: "OpenCombine", condition: withOpenCombine),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "RxMoya",
            dependencies: [
                "Moya",
                .product(name: "RxSwift", package: "RxSwift", condition: .when(traits: ["RxSwift"])),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ReactiveMoya",
            dependencies: [
                "Moya",
                .product(name: "ReactiveSwift", package: "ReactiveSwift", condition: .when(traits: ["ReactiveSwift"])),
            ],
            swiftSettings: strict
        ),
        // Recorded traffic, which applications replay as stubs, and moya-cli shows.
        .target(
            name: "MoyaHAR",
            dependencies: ["Moya", "MoyaJSON"],
            exclude: withoutPrivacyManifest,
            resources: privacyManifest,
            swiftSettings: strict
        ),
        // Code for the tests of applications.
        .target(name: "MoyaTesting", dependencies: ["Moya", "MoyaHAR", "MoyaJSON"], swiftSettings: strict),
        // Texts in code, which the macros and the generator of moya-cli write.
        .target(name: "MoyaCodeText", swiftSettings: strict),
        // The writer of the macros' code; it runs in the compiler.
        .target(
            name: "MoyaMacrosExpansion",
            dependencies: ["MoyaCodeText"]
                + swiftSyntax(
                    "SwiftParser",
                    "SwiftSyntax",
                    "SwiftSyntaxBuilder",
                    "SwiftSyntaxMacros",
                    "SwiftDiagnostics"
                ),
            swiftSettings: strict
        ),
        .macro(
            name: "MoyaMacrosPlugin",
            dependencies: ["MoyaMacrosExpansion"]
                + swiftSyntax("SwiftSyntax", "SwiftSyntaxMacros", "SwiftCompilerPlugin"),
            swiftSettings: strict
        ),
        .target(
            name: "MoyaMacros",
            dependencies: [
                "Moya", "MoyaJSON", .target(name: "MoyaMacrosPlugin", condition: .when(traits: ["Macros"])),
            ],
            swiftSettings: strict
        ),
        // The generator of moya-cli: from the document of an API to its code. No product: applications do not see it.
        .target(
            name: "MoyaGenerator",
            dependencies: ["MoyaCodeText", .product(name: "Yams", package: "Yams")],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "moya-cli",
            dependencies: [
                "Moya", "MoyaGenerator", "MoyaHAR",
                // The reader of protocols with @API.
                .target(name: "MoyaMacrosExpansion", condition: .when(traits: ["Macros"])),
                // The checks of the transport on Linux, which are hidden commands.
                .target(name: "TransportChecks", condition: .when(traits: ["NIO"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                // Only the demo's own server; without the trait the demo takes --base-url.
                .target(name: "TestServers", condition: .when(traits: ["NIO"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Sources/MoyaCLI",
            swiftSettings: strict
        ),
        // The command `swift package moya-generate`. A dependency on moya-cli would add five packages to each application, also if it had
        // the condition of a trait that is off: SwiftPM counts the dependencies of plugins with every condition.
        .plugin(
            name: "MoyaGenerate",
            capability: .command(
                intent: .custom(
                    verb: "moya-generate",
                    description: "Generate an API and its models from an OpenAPI document."
                ),
                permissions: [
                    .writeToPackageDirectory(reason: "The plugin writes the generated files."),
                    .allowNetworkConnections(
                        scope: .all(),
                        reason: "The plugin builds moya-cli, whose packages SwiftPM fetches before the first build."
                    ),
                ]
            )
        ),
        // Code that several test targets share. It does not import Testing, because moya-cli uses it through TransportChecks.
        .target(name: "TestSupport", dependencies: ["MoyaHTTP"], path: "Tests/TestSupport", swiftSettings: strict),
        // Traits of tests.
        .target(name: "TestTraits", path: "Tests/TestTraits", swiftSettings: strict),
        // Prepares the process of the tests, which are one program: proxies, home, tests at the same time.
        .target(name: "TestEnvironment", path: "Tests/TestEnvironment"),
        // The servers that tests talk to: a well-behaved one, and one that misbehaves on purpose.
        .target(
            name: "TestServers",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/TestServers",
            swiftSettings: strict
        ),
        // The transport against servers that others wrote, against misbehaving ones for long, and against mutated traffic.
        .target(
            name: "TransportChecks",
            dependencies: [
                "MoyaHTTP", "MoyaLocks", "TestServers", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/TransportChecks",
            swiftSettings: strict
        ),
        .testTarget(
            name: "MoyaHTTPTests",
            dependencies: [
                "MoyaHTTP", "MoyaHTTPCookies", "MoyaHTTPFields", "MoyaHTTPMessages", "MoyaHTTPTransportCore",
                "MoyaJSON", "MoyaNIOTransport", "MoyaSecretMasking", "MoyaURLSessionTransport", "MoyaAsyncHTTPClient",
                "MoyaPublicSuffixList", "TestServers", "TestSupport", "TestTraits", "TransportChecks",
                "TestEnvironment",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio", condition: withNIO),
                .product(name: "NIOPosix", package: "swift-nio", condition: withNIO),
                .product(name: "NIOEmbedded", package: "swift-nio", condition: withNIO),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: withNIO),
                .product(name: "NIOHPACK", package: "swift-nio-http2", condition: withNIO),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: withAsyncHTTPClient),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: withAsyncHTTPClient),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: withAsyncHTTPClient),
            ],
            swiftSettings: strict
        ),
        // Has tests where the trait is on.
        .testTarget(
            name: "MoyaObservabilityTests",
            dependencies: [
                "MoyaObservability", "MoyaHTTP", "Moya", "TestServers", "TestSupport", "TestTraits",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: withObservability),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: withObservability),
                .product(name: "Logging", package: "swift-log", condition: withObservability),
                .product(
                    name: "ServiceLifecycleTestKit",
                    package: "swift-service-lifecycle",
                    condition: withObservability
                ),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MoyaWebSocketsTests",
            dependencies: [
                "MoyaWebSockets", "MoyaHTTP", "MoyaHTTPTransportCore", "MoyaURLSessionTransport", "TestServers",
                "TestSupport", "TestEnvironment",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        // One table of cases, which every entry point of the pipeline must pass.
        .target(
            name: "EntryPointCases",
            dependencies: ["Moya", "TestServers", "TestSupport"],
            path: "Tests/EntryPointCases",
            swiftSettings: strict
        ),
        .testTarget(
            name: "MoyaTests",
            dependencies: [
                "Moya", "TestServers", "TestSupport", "EntryPointCases",
                .product(name: "XMLCoder", package: "XMLCoder"),
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CombineMoyaTests",
            dependencies: ["CombineMoya", "Moya", "TestServers", "TestSupport", "EntryPointCases"],
            swiftSettings: strict
        ),
        // These two have tests where their traits are on.
        .testTarget(
            name: "RxMoyaTests",
            dependencies: [
                "RxMoya", "Moya", "TestServers", "TestSupport", "EntryPointCases",
                .product(name: "RxSwift", package: "RxSwift", condition: .when(traits: ["RxSwift"])),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ReactiveMoyaTests",
            dependencies: [
                "ReactiveMoya", "Moya", "TestServers", "TestSupport", "EntryPointCases",
                .product(name: "ReactiveSwift", package: "ReactiveSwift", condition: .when(traits: ["ReactiveSwift"])),
            ],
            swiftSettings: strict
        ),
        // Empty without the trait.
        .testTarget(
            name: "MoyaMacrosTests",
            dependencies: [
                "MoyaMacros", "MoyaMacrosExpansion", "MoyaTesting", "Moya", "moya-cli", "TestServers", "TestSupport",
                "GitHubAPIExample",
            ]
                + swiftSyntax(
                    "SwiftSyntax",
                    "SwiftParser",
                    "SwiftSyntaxMacroExpansion",
                    "SwiftSyntaxMacrosGenericTestSupport"
                ),
            swiftSettings: strict
        ),
        // An application as Xcode 26 creates it: on the main actor unless it says otherwise, and with types named like ours.
        .testTarget(
            name: "MainActorMacrosTests",
            dependencies: ["MoyaMacros"],
            swiftSettings: strict + [.defaultIsolation(MainActor.self)]
        ),
        // The spellings of targets, plugins and models that work there, in both language modes.
        .testTarget(
            name: "MainActorTests",
            dependencies: ["Moya"],
            swiftSettings: strict + [.defaultIsolation(MainActor.self)]
        ),
        .testTarget(
            name: "MainActor5Tests",
            dependencies: ["Moya"],
            swiftSettings: strict + [.defaultIsolation(MainActor.self), .swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "MoyaHARTests",
            dependencies: ["MoyaHAR", "Moya", "TestSupport", "TestTraits"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MoyaTestingTests",
            dependencies: ["MoyaTesting", "MoyaHAR", "Moya", "TestServers", "TestSupport", "TestTraits"],
            exclude: ["Fixtures"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MoyaGeneratorTests",
            dependencies: ["MoyaGenerator"],
            exclude: ["Fixtures"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MoyaCLITests",
            dependencies: [
                "moya-cli", "Moya", "MoyaHAR", "MoyaTesting", "TestServers", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: strict
        ),
        // The unchanged code blocks of the documents that the project was created from: see BLOCKS.md.
        .testTarget(
            name: "SeedsTests",
            dependencies: ["Moya"],
            exclude: ["BLOCKS.md"],
            swiftSettings: strict + [.swiftLanguageMode(.v5)]
        ),
        // Each public name of the original, used once as its applications do: losing one breaks the build.
        .testTarget(
            name: "ContractTests",
            dependencies: ["Moya"],
            swiftSettings: strict + [.swiftLanguageMode(.v5)]
        ),
        // The names that applications take from Alamofire, by `import Alamofire`.
        .testTarget(
            name: "MoyaAlamofireTests",
            dependencies: ["Moya", "MoyaAlamofire", "TestServers"],
            swiftSettings: strict + [.swiftLanguageMode(.v5)] + alamofire
        ),
        // The same names where the language has a Task of its own.
        .testTarget(name: "Swift6Tests", dependencies: ["Moya"], swiftSettings: strict),
        // Programs and patterns that a reader can copy, in the language mode of the applications that have them.
        .executableTarget(
            name: "repository-browser",
            dependencies: ["Moya"],
            path: "Examples/RepositoryBrowser",
            swiftSettings: strict + [.swiftLanguageMode(.v5)]
        ),
        .executableTarget(
            name: "signed-uploads",
            dependencies: ["Moya", .product(name: "Crypto", package: "swift-crypto")],
            path: "Examples/SignedUploads",
            swiftSettings: strict + [.swiftLanguageMode(.v5)]
        ),
        .executableTarget(
            name: "token-refresh",
            dependencies: ["Moya", "MoyaAlamofire"],
            path: "Examples/TokenRefresh",
            swiftSettings: strict + [.swiftLanguageMode(.v5)] + alamofire
        ),
        .executableTarget(
            name: "chat-example",
            dependencies: [
                "Moya",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Examples/Chat",
            swiftSettings: strict
        ),
        .target(
            name: "PatternExamples",
            dependencies: ["Moya"],
            path: "Examples/Patterns",
            swiftSettings: strict + [.swiftLanguageMode(.v5)]
        ),
        .target(
            name: "MiddlewareExamples",
            dependencies: ["Moya", .product(name: "Crypto", package: "swift-crypto")],
            path: "Examples/Middleware",
            swiftSettings: strict
        ),
        .target(
            name: "APIRuleExamples",
            dependencies: ["Moya"],
            path: "Examples/APIRules",
            swiftSettings: strict
        ),
        .target(
            name: "GitHubAPIExample",
            dependencies: ["MoyaMacros"],
            path: "Examples/GitHubAPI",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "repository-browser", "signed-uploads", "token-refresh", "chat-example", "PatternExamples",
                "MiddlewareExamples", "APIRuleExamples", "TestServers", "TestSupport", "Moya", "MoyaHTTP",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict + [.swiftLanguageMode(.v5)]
        ),
    ]
)

// The build for the thread sanitizer in .ci/run leaves out code with one thread, and tests whose code other tests run, too.
if Context.environment["MOYA_SANITIZED"] != nil {
    let unneeded: Set = [
        "SeedsTests", "ContractTests", "ExamplesTests", "MoyaCLITests", "MoyaAlamofireTests", "MoyaHARTests",
        "MoyaMacrosTests",
        "MainActorMacrosTests", "Swift6Tests", "MainActorTests", "MainActor5Tests",
    ]
    package.targets.removeAll { unneeded.contains($0.name) || $0.path?.hasPrefix("Examples/") == true }
}
