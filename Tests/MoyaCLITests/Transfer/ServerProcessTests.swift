#if NIO && os(Linux)
import Foundation
import Moya
import Testing

@testable import moya_cli

@Suite("The program of a transfer and its server run as processes", .timeLimit(.minutes(5)))
struct ServerProcessTests {
    @Test("a transfer's server in a separate process responds, and ends after the function")
    func answers() async throws {
        let url = try await ServerProcess.run(BuiltProgram.url) { url in
            let response = try await Session.default.data(for: URLRequest(url: url.appendingPathComponent("zen")))
            #expect(response.data == Data(DemoData.zen.utf8))
            return url
        }
        await expectNobody(at: url)
    }

    @Test("a transfer's server ends when the function throws")
    func throwing() async throws {
        struct Mistake: Error {}
        let place = AsyncStream<URL>.makeStream()
        await #expect(throws: Mistake.self) {
            try await ServerProcess.run(BuiltProgram.url) { url in
                place.continuation.yield(url)
                throw Mistake()
            }
        }
        await expectNobody(at: try #require(await place.stream.first { _ in true }))
    }

    @Test("a program that does not start the transfer's server is an error", arguments: ["true", "echo"])
    func noServer(_ name: String) async throws {
        let program = URL(fileURLWithPath: "/bin/\(name)")
        await #expect(throws: ServerProcessError.didNotStart) { try await ServerProcess.run(program) { _ in } }
    }

    @Test("a missing program of the transfer's server is an error")
    func noProgram() async throws {
        let program = URL(fileURLWithPath: "/nowhere/at/all")
        await #expect(throws: (any Error).self) { try await ServerProcess.run(program) { _ in } }
        await #expect(throws: ServerProcessError.noExecutable) { try await ServerProcess.run(nil) { _ in } }
    }

    @Test("a transfer's server ends when its parent process is killed")
    func orphan() async throws {
        try await TemporaryFolder.use { folder in
            let (parent, output) = try BuiltProgram.start(
                ["transfer", "--size", "1TiB", "--direction", "stream"],
                environment: ["TMPDIR": folder.path]
            )
            let child = try #require(await child(of: parent))
            kill(parent.processIdentifier, SIGKILL)
            await BuiltProgram.waitForEnd(of: parent, output)
            while isRunning(child) { try await Task.sleep(for: .milliseconds(20)) }
        }
    }

    @Test("a transfer in each direction succeeds within its memory limit", arguments: TransferDirection.allCases)
    func transfers(_ direction: TransferDirection) async throws {
        let (process, output) = try BuiltProgram.start([
            // The limit is high, because sanitizers need memory.
            "transfer", "--size", "4MiB", "--direction", direction.rawValue, "--memory-limit", "128",
        ])
        let text = await BuiltProgram.waitForEnd(of: process, output)
        #expect(process.terminationStatus == 0, "\(text)")
        #expect(text.contains("✓ as expected"), "\(text)")
    }

    @Test("moya-cli transfer exits with status 1 if memory exceeds the limit")
    func memoryLimit() async throws {
        let (process, output) = try BuiltProgram.start([
            "transfer", "--size", "64MiB", "--memory-limit", "0", "--direction", "upload",
        ])
        let text = await BuiltProgram.waitForEnd(of: process, output)
        #expect(process.terminationStatus == 1, "\(text)")
        #expect(text.contains("67108864 of 67108864 as they should be"), "\(text)")
        #expect(text.contains("✗ not as expected"), "\(text)")
    }

    @Test("an interrupted moya-cli transfer removes its files and ends its server", arguments: [SIGINT, SIGTERM])
    func interrupted(_ signal: Int32) async throws {
        try await TemporaryFolder.use { folder in
            let (process, output) = try BuiltProgram.start(
                ["transfer", "--size", "1TiB", "--direction", "stream"],
                environment: ["TMPDIR": folder.path]
            )
            let child = try #require(await child(of: process))
            func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
            while process.isRunning, try files().isEmpty { try await Task.sleep(for: .milliseconds(20)) }
            kill(process.processIdentifier, signal)
            let text = await BuiltProgram.waitForEnd(of: process, output)
            #expect(process.terminationStatus == 1, "\(text)")
            #expect(try files().isEmpty)
            #expect(!isRunning(child))
        }
    }

    @Test("moya-cli transfer exits with status 1 and an error message if --base-url is unreachable")
    func nobody() async throws {
        let (process, output) = try BuiltProgram.start([
            "transfer", "--size", "1KiB", "--base-url", "http://127.0.0.1:1",
        ])
        let text = await BuiltProgram.waitForEnd(of: process, output)
        #expect(process.terminationStatus == 1)
        #expect(text.contains("Could not connect"), "\(text)")
    }

    private func child(of process: Process) async throws -> Int32? {
        let parent = process.processIdentifier
        while process.isRunning {
            // In /proc, each thread lists the children that it started.
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(parent)/task")) ?? []
            for thread in threads {
                let file = "/proc/\(parent)/task/\(thread)/children"
                let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
                if let child = text.split(separator: " ").first.flatMap({ Int32($0) }) { return child }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }

    /// Returns whether a process is running; an ended process that no process has waited for has no command line.
    private func isRunning(_ process: Int32) -> Bool {
        let commandLine = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
        return commandLine?.isEmpty == false
    }

    private func expectNobody(at url: URL) async {
        await #expect(throws: URLError.self) { try await Session.default.data(for: URLRequest(url: url)) }
    }
}
#endif
