import Foundation

/// The program `moya-cli`, which is built beside the tests.
enum BuiltProgram {
    /// The URL of the executable.
    static var url: URL {
        #if canImport(Darwin)
        // The process is xctest or swiftpm-testing-helper, which loads the tests as a bundle, so the bundle's URL is used.
        let tests = Bundle(for: Marker.self).bundleURL
        #else
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        #endif
        return tests.deletingLastPathComponent().appendingPathComponent("moya-cli")
    }

    #if canImport(Darwin)
    /// A class of the tests' bundle.
    private final class Marker {}
    #endif
}
