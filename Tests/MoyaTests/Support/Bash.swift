// On other platforms an application cannot start processes.
#if os(macOS) || os(Linux)
import Foundation
import MoyaHTTP
import TestSupport

/// Runs scripts.
enum Bash {
    /// Whether bash and curl exist in their usual places.
    static let hasCURL = ["/usr/bin/curl", "/bin/bash"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Runs a script and returns its output, which goes through a file, because another test's process could inherit a pipe.
    static func run(_ script: String) async throws -> String {
        let folder = try TemporaryFolder()
        let output = try FileHandle(forWritingTo: folder.write("", to: "output"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["--norc", try folder.write(script, to: "script").path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        // No thread waits for the process, because the script's server may need the thread.
        let ended = Promise<Void>()
        process.terminationHandler = { _ in ended.fulfill(()) }
        try process.run()
        await ended.wait()
        withExtendedLifetime(process) {}
        try output.close()
        return try folder.text("output")
    }

    /// Runs a `curl` command as it is printed, without the settings of the machine's user.
    static func run(curl command: String) async throws {
        _ = try await run(
            "curl() { command curl -q --noproxy '*' --max-time 60 --silent \"$@\"; }\n\(command.dropFirst(2))"
        )
    }
}
#endif
