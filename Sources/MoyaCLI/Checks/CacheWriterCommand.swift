import ArgumentParser
import Foundation
import MoyaHTTP

/// The command `moya-cli cache-writer`, which a test kills while it writes.
///
/// It ends when its standard input ends, so that it does not outlive a test that has crashed.
struct CacheWriterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache-writer",
        abstract: "Write, replace, update and remove responses of a cache on disk, without end.",
        shouldDisplay: false
    )

    @Argument(help: "The directory of the cache.")
    var directory: String

    @Option(help: "The seed of the written responses.")
    var seed: UInt64 = 1

    func run() async throws {
        Task {
            await StandardInput.waitForEnd()
            _exit(0)
        }
        let store = try DiskCacheStore(directory: URL(fileURLWithPath: directory), maximumSize: 4 << 20)
        print("opened")
        fflush(nil)
        // xorshift64 produces the same sequence for the same seed.
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ bound: UInt64) -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state % bound
        }
        while true {
            let key = CacheKey(URL(string: "http://server.test/\(next(8))")!)
            let entries = try await store.entries(for: key)
            switch next(8) {
            case 0: for entry in entries { try await store.remove(entry) }
            case 1:
                for entry in entries {
                    var head = entry.head
                    head.headers[.age] = "\(next(1000))"
                    _ = try await store.update(entry, to: head)
                }
            default:
                let seed = next(1 << 32)
                let body = Self.body(seed: seed, count: Int(next(150_000)))
                let head = CachedHead(
                    status: 200,
                    headers: [.eTag: "\(seed)", .contentLength: "\(body.count)"],
                    requestTime: 1,
                    responseTime: 1
                )
                let writer = try await store.write(head, for: key, length: nil, replacing: entries.map(\.id))
                for start in stride(from: 0, to: body.count, by: 20_000) {
                    _ = try await writer?.append(body.dropFirst(start).prefix(20_000))
                }
                if next(10) > 0 { try await writer?.finish() } else { await writer?.discard() }
            }
        }
    }

    /// Returns a body that depends only on the seed and the length.
    static func body(seed: UInt64, count: Int) -> Data {
        var value = seed | 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count {
            value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bytes.append(UInt8(truncatingIfNeeded: value >> 56))
        }
        return Data(bytes)
    }
}
