// Elsewhere an application starts no processes.
#if os(macOS) || os(Linux)
    import Foundation
    import MoyaHTTP
    import TestSupport

    /// Runs scripts.
    enum Bash {
        /// Whether there is a bash, and a curl where one usually is.
        static let hasCURL = ["/usr/bin/curl", "/bin/bash"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: $0)
        }

        /// What a script writes, by way of a file: a pipe could be inherited by another test's process.
        static func run(_ script: String) async throws -> String {
            let folder = try TemporaryFolder()
            let output = try FileHandle(forWritingTo: folder.write("", to: "output"))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            process.arguments = ["--norc", try folder.write(script, to: "script").path]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            // No thread waits for it: the server that the script talks to may need that.
            let ended = Promise<Void>()
            process.terminationHandler = { _ in ended.fulfill(()) }
            try process.run()
            await ended.wait()
            withExtendedLifetime(process) {}
            try output.close()
            return try folder.text("output")
        }

        /// Runs a `curl` command as it is shown to people, without settings of the machine's user.
        static func run(curl command: String) async throws {
            _ = try await run(
                "curl() { command curl -q --noproxy '*' --max-time 60 --silent \"$@\"; }\n\(command.dropFirst(2))"
            )
        }
    }
#endif
