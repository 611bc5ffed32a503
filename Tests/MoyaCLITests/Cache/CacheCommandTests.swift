import ArgumentParser
import Foundation
import MoyaHTTP
import TestSupport
import Testing

@testable import moya_cli

@Suite("moya-cli cache lists and removes the entries of a cache")
struct CacheCommandTests {
    @Test(
        "moya-cli cache lists the entries of a cache in use, and removes a URL and stale entries from an unused cache"
    )
    func command() async throws {
        let folder = try TemporaryFolder()
        let now = Date()
        do {
            let store = try DiskCacheStore(directory: folder.url)
            for (path, age) in [("/a", 3600), ("/b", 60), ("/c", 0)] {
                let response = CachedHead(
                    status: 200,
                    headers: [.cacheControl: "max-age=\(age)"],
                    selectingFields: path == "/a" ? ["accept": "x", "cookie": "secret=1"] : [:],
                    requestTime: now.timeIntervalSince1970 - 10,
                    responseTime: now.timeIntervalSince1970 - 10
                )
                let key = CacheKey(try #require(URL(string: "http://server.test\(path)")))
                let writer = try await store.write(response, for: key, length: 5, replacing: [])
                _ = try await writer?.append(Data("12345".utf8))
                try await writer?.finish()
                guard path == "/b", let entry = try await store.entries(for: key).first else { continue }
                for _ in 0..<7 { _ = try await store.body(of: entry, range: nil) }
            }
            let lines = try await CacheCommand.parse([folder.url.path]).lines(now: now)
            let line = try #require(lines.first { $0.contains("/a") })
            #expect(
                line.contains("59 min") && line.contains("10 s") && line.contains("accept: x")
                    && line.contains("cookie")
            )
            #expect(!lines.joined().contains("secret"))
            #expect(lines.contains { $0.contains("/c") && $0.contains("stale") })
            #expect(lines.last == "3 responses, 15 B")
            await #expect(throws: CacheStoreError.inUse(URL(fileURLWithPath: folder.url.path, isDirectory: true))) {
                _ = try await CacheCommand.parse([folder.url.path, "--prune"]).lines(now: now)
            }
        }
        // The use counts of a store are still shown after the store was closed.
        let ended = try await CacheCommand.parse([folder.url.path]).lines(now: now)
        #expect(ended.first?.hasSuffix("used  uses  URL") == true)
        #expect(ended.first { $0.contains("/b") }?.contains("     7  http://server.test/b") == true)
        let removed = try await CacheCommand.parse([folder.url.path, "--remove", "http://server.test/b"]).lines(
            now: now
        )
        #expect(removed == ["1 removed, 2 left"])
        #expect(try await CacheCommand.parse([folder.url.path, "--prune"]).lines(now: now) == ["1 removed, 1 left"])
        await #expect(throws: (any Error).self) { _ = try await CacheCommand.parse(["/nowhere"]).lines(now: now) }
    }

    @Test(
        "moya-cli cache rejects a file or another directory with an error that names a remedy, and does not change it"
    )
    func otherDirectory() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("text", to: "a.txt")
        for arguments in [[], ["--prune"], ["--remove", "http://server.test/"]] {
            for (path, problem) in [(file.path, "is a file"), (folder.url.path, "has no cache")] {
                let error = await #expect(throws: ValidationError.self) {
                    _ = try await CacheCommand.parse([path] + arguments).lines(now: Date())
                }
                #expect(error?.message.contains(problem) == true)
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.txt"])
    }

    @Test("moya-cli cache rounds sizes to tenths of a unit")
    func sizes() async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(directory: folder.url)
        let response = CachedHead(status: 200, headers: [:], requestTime: 0, responseTime: 0)
        let key = CacheKey(try #require(URL(string: "http://server.test/")))
        let writer = try await store.write(response, for: key, length: 1_999, replacing: [])
        _ = try await writer?.append(Data(count: 1_999))
        try await writer?.finish()
        let lines = try await CacheCommand.parse([folder.url.path]).lines(now: Date())
        #expect(lines.last == "1 response, 2.0 KiB")
        #expect(lines.contains { $0.contains("  2.0 KiB") && $0.contains("http://server.test/") })
        withExtendedLifetime(store) {}
    }
}
