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
                let process = Process()
                let output = Pipe()
                process.executableURL = BuiltProgram.url
                process.arguments = ["cache-writer", folder.url.path, "--seed", "\(round + 1)"]
                process.standardOutput = output
                try process.run()
                // The process prints a line when it begins to write.
                #expect(!output.fileHandleForReading.availableData.isEmpty)
                try await Task.sleep(for: .microseconds(Int.random(in: 0...60_000, using: &generator)))
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                let store = try DiskCacheStore(directory: folder.url, maximumSize: 4 << 20)
                for entry in try await store.allEntries() {
                    let body = try #require(try await store.body(of: entry, range: nil), "round \(round)")
                    var data = Data()
                    for try await chunk in TransportBodyStream(body) { data += chunk }
                    let seed = try #require(entry.response.headers[.eTag].flatMap { UInt64($0) })
                    #expect(entry.response.headers[.contentLength] == "\(data.count)")
                    #expect(data == CacheWriterCommand.body(seed: seed, count: data.count), "round \(round)")
                    survivors += 1
                }
                #expect(await store.size <= 4 << 20)
            }
            #expect(survivors > Self.count)
        }
    }
#endif
