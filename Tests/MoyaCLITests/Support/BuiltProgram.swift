import Foundation
import Moya

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

    /// Starts the program with arguments, and returns its process and its output.
    static func start(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        let output = Pipe()
        process.executableURL = url
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        try process.run()
        return (process, output.fileHandleForReading)
    }

    /// Waits for the end of a process, and returns its output.
    @discardableResult
    static func waitForEnd(of process: Process, _ output: FileHandle) async -> String {
        let text = Promise<String>()
        DispatchQueue.global().async {
            let data = (try? output.readToEnd()) ?? nil
            process.waitUntilExit()
            text.fulfill(String(decoding: data ?? Data(), as: UTF8.self))
        }
        return await text.wait()
    }

    #if canImport(Darwin)
    /// A class of the tests' bundle.
    private final class Marker {}
    #endif
}
