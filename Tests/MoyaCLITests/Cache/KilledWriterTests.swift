#if os(macOS) || os(Linux)
import Foundation
import MoyaHTTP
import TestSupport
import Testing

@testable import moya_cli

@Suite("A disk cache survives the death of its process", .serialized)
struct KilledWriterTests {
    /// The number of processes; `MOYA_CACHE_KILLS` sets another number, such as 500.
    private static let count = ProcessInfo.processInfo.environment["MOYA_CACHE_KILLS"].flatMap { Int($0) } ?? 40

    @Test("a disk cache whose process was killed opens again, and has no damaged response")
    func killed() async throws {
        let folder = try TemporaryFolder()
        var generator = SeededGenerator(seed: 7)
        var survivors = 0
        for round in 0..<Self.count {
            let (process, _) = try startWriter(in: folder.url, seed: round + 1)
            try await Task.sleep(for: .microseconds(Int.random(in: 0...60_000, using: &generator)))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let store = try DiskCacheStore(directory: folder.url, maximumSize: 4 << 20)
            for entry in try await store.allEntries() {
                let body = try #require(try await store.body(of: entry, range: nil), "round \(round)")
                var data = Data()
                for try await chunk in TransportBodyStream(body) { data += chunk }
                let seed = try #require(entry.head.headers[.eTag].flatMap { UInt64($0) })
                #expect(entry.head.headers[.contentLength] == "\(data.count)")
                #expect(data == CacheWriterCommand.body(seed: seed, count: data.count), "round \(round)")
                survivors += 1
            }
            #expect(await store.size <= 4 << 20)
        }
        #expect(survivors > Self.count)
    }

    @Test("the writer of a cache ends when its parent ends", .timeLimit(.minutes(1)))
    func orphaned() async throws {
        let folder = try TemporaryFolder()
        let (process, input) = try startWriter(in: folder.url, seed: 1)
        // The system closes the pipe of a parent that has ended.
        try input.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        withExtendedLifetime(folder) {}
    }

    /// Starts a process that writes to a cache without end, and waits until it begins to write.
    ///
    /// - Returns: The process, and its standard input, which ends the process when it is closed.
    private func startWriter(in directory: URL, seed: Int) throws -> (process: Process, input: FileHandle) {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = BuiltProgram.url
        process.arguments = ["cache-writer", directory.path, "--seed", "\(seed)"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        return (process, input.fileHandleForWriting)
    }
}
#endif
