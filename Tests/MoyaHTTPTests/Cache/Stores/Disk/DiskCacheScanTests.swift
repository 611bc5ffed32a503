import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("A background scan finds the entries of a cache's directory", .timeLimit(.minutes(2)))
struct DiskCacheScanTests {
    /// A suspended queue, on which nothing runs until it is resumed.
    private final class HeldQueue: Sendable {
        let queue = DispatchQueue(label: "test.scan")
        private let isHeld = Locked(true)

        init() { queue.suspend() }

        func resume() {
            let wasHeld = isHeld.withLock { isHeld in
                defer { isHeld = false }
                return isHeld
            }
            if wasHeld { queue.resume() }
        }

        // A suspended queue must not be released.
        deinit { resume() }
    }

    private func open(
        _ folder: TemporaryFolder,
        _ queue: HeldQueue,
        maximumSize: Int64 = 100 << 20
    ) throws -> DiskCacheStore {
        try DiskCacheStore(
            directory: folder.url,
            maximumSize: maximumSize,
            calls: FileCalls.Replaceable(),
            scanningOn: queue.queue
        )
    }

    private func fill(_ folder: TemporaryFolder, _ paths: [String], size: Int = 2) async throws {
        let store = try DiskCacheStore(directory: folder.url)
        for path in paths {
            try await store.put(.pattern(UInt64(path.count), count: size), at: path)
            // File times may be equal; the times of uses are written and differ.
            _ = try await store.text(path)
        }
    }

    @Test("a cache entry is found before the directory has been read, by reading only its shard of the directory")
    func lookup() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (0..<1000).map { "/\($0)" })
        let queue = HeldQueue()
        let store = try open(folder, queue)
        #expect(store.readShardCount == 0)
        let entry = try #require(try await store.entries(for: .test("/77")).first)
        #expect(try await store.data(of: entry) == .pattern(3, count: 2))
        #expect(store.readShardCount == 1)
        // A lookup of a key without an entry reads no other shard.
        #expect(try await store.entries(for: .test("/none")).isEmpty)
        #expect(store.readShardCount <= 2)
        // Entries written before the scan are kept.
        #expect(try await store.put(Data("new".utf8), at: "/new"))
        try await store.remove(entry)
        queue.resume()
        #expect(try await store.allEntries().count == 1000)
        #expect(store.readShardCount == 256)
        #expect(try await store.text("/new") == "new")
        #expect(try await store.entries(for: .test("/77")).isEmpty)
    }

    @Test("after the scan of the directory the entries are ordered by their use, including uses during the scan")
    func order() async throws {
        let folder = try TemporaryFolder()
        let paths = (0..<20).map { "/\($0)" }
        try await fill(folder, paths)
        let queue = HeldQueue()
        let store = try open(folder, queue)
        for path in ["/7", "/3"] { _ = try await store.text(path) }
        _ = try await store.entries(for: .test("/5"))
        try await store.put(Data("new".utf8), at: "/new")
        queue.resume()
        let expected = paths.filter { $0 != "/7" && $0 != "/3" } + ["/7", "/3", "/new"]
        #expect(try await store.allEntries().map(\.key) == expected.map { .test($0) })
    }

    @Test("after the scan of the directory, and not before, a store that is too large is reduced")
    func eviction() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (0..<20).map { "/\($0)" }, size: 8000)
        let queue = HeldQueue()
        // Each entry takes three blocks.
        let store = try open(folder, queue, maximumSize: 10 * 3 * 4096)
        try await store.put(Data("new".utf8), at: "/new")
        #expect(try await store.entries(for: .test("/0")).count == 1)
        queue.resume()
        let left = try await store.allEntries().map(\.key)
        #expect(left == (11..<20).map { .test("/\($0)") } + [.test("/new")])
        #expect(await store.size <= store.maximumSize)
        #expect(try await store.entries(for: .test("/0")).isEmpty)
        try await eventually { try DiskCacheStore.list(directory: folder.url).count == 10 }
    }

    @Test("cache entries of an earlier store are found before the directory has been read")
    func heldEntry() async throws {
        let folder = try TemporaryFolder()
        var entries: [CacheEntry] = []
        do {
            let store = try DiskCacheStore(directory: folder.url)
            for path in ["/a", "/b", "/c"] { try await store.put(Data(path.utf8), at: path) }
            entries = try await store.allEntries()
        }
        let queue = HeldQueue()
        let store = try open(folder, queue)
        #expect(try await store.data(of: entries[0]) == Data("/a".utf8))
        var changed = entries[1].head
        changed.headers[.eTag] = "\"2\""
        _ = try await store.update(entries[1], to: changed)
        try await store.remove(entries[2])
        queue.resume()
        let left = try await store.allEntries()
        #expect(Set(left.map(\.key)) == [.test("/a"), .test("/b")])
        #expect(left.first { $0.key == .test("/b") }?.head.headers[.eTag] == "\"2\"")
    }

    @Test("the use of a cache entry of an earlier store adds to the earlier use count")
    func heldEntryHits() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try DiskCacheStore(directory: folder.url)
            try await store.put(Data("x".utf8))
            for _ in 0..<3 { _ = try await store.text() }
        }
        let entry = try #require(try DiskCacheStore.list(directory: folder.url).first?.entry)
        do {
            let store = try DiskCacheStore(directory: folder.url)
            #expect(try await store.data(of: entry) == Data("x".utf8))
        }
        #expect(try DiskCacheStore.list(directory: folder.url).map(\.entry.useCount) == [4])
    }

    /// Calls that cannot read a shard as long as a condition holds.
    private func calls(
        failingFor shard: DiskCacheShard,
        while condition: @escaping @Sendable () -> Bool
    ) -> FileCalls.Replaceable {
        var calls = FileCalls.Replaceable()
        calls.names = { folder throws(FileCalls.Failure) in
            if folder.hasSuffix("/\(shard.name)"), condition() { throw FileCalls.Failure(code: EMFILE) }
            return try FileCalls.names(in: folder)
        }
        return calls
    }

    @Test("the entries of a shard that could not be read at first are found later, and ordered by their use")
    func unreadableShard() async throws {
        let folder = try TemporaryFolder()
        let paths = (0..<20).map { "/\($0)" }
        try await fill(folder, paths, size: 8000)
        let shard = DiskCacheShard(of: DiskCacheEntryName.hash(of: .test("/0")))
        let isUnreadable = Locked(true)
        // All entries except one fit. Each takes three blocks.
        let store = try DiskCacheStore(
            directory: folder.url,
            maximumSize: 19 * 3 * 4096,
            calls: calls(failingFor: shard) { isUnreadable.withLock { $0 } }
        )
        await #expect(throws: CacheStoreError.self) { _ = try await store.allEntries() }
        await #expect(throws: CacheStoreError.self) { _ = try await store.entries(for: .test("/0")) }
        await #expect(throws: CacheStoreError.self) { try await store.removeEntries(for: .test("/0")) }
        #expect(store.readShardCount == 255)
        isUnreadable.withLock { $0 = false }
        _ = try await store.entries(for: .test("/0"))
        // The least recently used entry has been removed.
        #expect(try await store.allEntries().map(\.key) == paths.dropFirst().map { .test($0) })
        #expect(try await store.entries(for: .test("/0")).isEmpty)
    }

    @Test("the removal of all entries reports a shard that cannot be read, and removes the other entries")
    func removalOfUnreadableShard() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (0..<20).map { "/\($0)" })
        let shard = DiskCacheShard(of: DiskCacheEntryName.hash(of: .test("/0")))
        let isUnreadable = Locked(true)
        let store = try DiskCacheStore(
            directory: folder.url,
            calls: calls(failingFor: shard) { isUnreadable.withLock { $0 } }
        )
        let error = await #expect(throws: CacheStoreError.self) { try await store.removeAll() }
        #expect(error?.code == EMFILE)
        #expect(try DiskCacheStore.list(directory: folder.url).allSatisfy { DiskCacheShard($0.entry) == shard })
        isUnreadable.withLock { $0 = false }
        try await store.removeAll()
        #expect(try DiskCacheStore.list(directory: folder.url).isEmpty)
    }

    @Test("a cache store that is released during the scan lets the next store open the directory immediately")
    func released() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (0..<300).map { "/\($0)" })
        for round in 0..<50 {
            let store = try DiskCacheStore(directory: folder.url)
            // The scan of the previous store must not remove the new files as leftovers.
            try await store.put(Data("\(round)".utf8), at: "/new\(round)")
            #expect(try await store.text("/new\(round)") == "\(round)")
        }
        let store = try DiskCacheStore(directory: folder.url)
        #expect(try await store.allEntries().count == 350)
    }

    @Test("concurrent tasks can look up, write and list entries during the scan of the directory")
    func concurrent() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (0..<200).map { "/\($0)" })
        let store = try DiskCacheStore(directory: folder.url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    #expect(try await store.entries(for: .test("/\(number)")).count == 1)
                    #expect(try await store.put(Data("x".utf8), at: "/new\(number)"))
                    if number % 10 == 0 { _ = try await (store.allEntries(), store.size) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.allEntries().count == 250)
        try await store.removeAll()
        #expect(try await store.allEntries().isEmpty)
        #expect(await store.size == 0)
        #expect(try DiskCacheStore.list(directory: folder.url).isEmpty)
    }

    @Test("a symbolic link or a file in place of a cache folder is removed and not followed")
    func foreignShards() async throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        try other.write("secret", to: "0000000000000001-0000000000000002.body")
        _ = try DiskCacheStore(directory: folder.url)
        let entries = folder.url.appendingPathComponent("v1")
        let shard = DiskCacheShard(of: DiskCacheEntryName.hash(of: .test("/a")))
        try FileManager.default.createSymbolicLink(
            at: entries.appendingPathComponent(shard.name),
            withDestinationURL: other.url
        )
        let second = DiskCacheShard(shard.number &+ 1)
        try Data("?".utf8).write(to: entries.appendingPathComponent(second.name))
        let store = try DiskCacheStore(directory: folder.url)
        #expect(try await store.allEntries().isEmpty)
        #expect(try await store.put(Data("x".utf8)))
        #expect(try await store.text() == "x")
        #expect(try other.names == ["0000000000000001-0000000000000002.body"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: entries.path) == [shard.name])
    }

    @Test("a listing of the cache can be cancelled and omits damaged entries")
    func listing() async throws {
        let folder = try TemporaryFolder()
        try await fill(folder, (0..<10).map { "/\($0)" })
        let listed = try DiskCacheStore.list(directory: folder.url)
        #expect(listed.count == 10)
        let hash = DiskCacheEntryName.hash(of: .test("/4"))
        let name = DiskCacheEntryName(
            hash: hash,
            id: try #require(listed.first { $0.entry.key == .test("/4") }).entry.id
        )
        let path = name.path(in: folder.url.appendingPathComponent("v1").path, .head)
        try Data("?".utf8).write(to: URL(fileURLWithPath: path))
        let store = try DiskCacheStore(directory: folder.url)
        #expect(try await store.allEntries().count == 9)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.allEntries()
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await store.allEntries().count == 9)
    }
}

extension DiskCacheShard {
    fileprivate init(_ entry: CacheEntry) { self.init(of: DiskCacheEntryName.hash(of: entry.key)) }
}
