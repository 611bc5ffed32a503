import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

/// A disk with a limited number of free bytes, for the calls of a store.
private final class LimitedDisk: Sendable {
    private let folder: TemporaryFolder
    private let code: Int32
    private let capacity: Locked<Int64>
    private let failures = Locked(0)

    /// The number of times that the disk was full.
    var failureCount: Int { failures.withLock { $0 } }

    init(_ folder: TemporaryFolder, capacity: Int64, code: Int32 = ENOSPC) {
        self.folder = folder
        self.code = code
        self.capacity = Locked(capacity)
    }

    func resize(_ size: Int64) { capacity.withLock { $0 = size } }

    var calls: FileCalls.Replaceable {
        var calls = FileCalls.Replaceable()
        calls.create = { [self] path throws(FileCalls.Failure) in
            guard room > 0 else { throw full }
            return try FileCalls.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        }
        calls.write = { [self] data, descriptor throws(FileCalls.Failure) in
            let count = Int(max(0, min(room, Int64(data.count))))
            // Like a real disk, it writes as many bytes as fit.
            try FileCalls.write(data.prefix(count), to: descriptor)
            guard count == data.count else { throw full }
        }
        return calls
    }

    private var full: FileCalls.Failure {
        failures.withLock { $0 += 1 }
        return FileCalls.Failure(code: code)
    }

    private var room: Int64 {
        capacity.withLock { $0 } - used
    }

    /// The number of bytes in all files.
    var used: Int64 {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.url.path)) ?? []
        return paths.reduce(0) { sum, path in
            guard let status = try? FileStatus(path: "\(folder.url.path)/\(path)"), status.isRegular else { return sum }
            return sum + status.length
        }
    }
}

@Suite("The cache works on a full disk", .timeLimit(.minutes(2)))
struct FullDiskTests {
    private func store(_ folder: TemporaryFolder, _ disk: LimitedDisk) async throws -> DiskCacheStore {
        let store = try DiskCacheStore(directory: folder.url, calls: disk.calls)
        // Nothing is removed before the directory has been read.
        _ = await store.size
        return store
    }

    private func files(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).filter { $0.contains("-") }
    }

    @Test(
        "the least recently used cache entries are removed for new entries on a full disk",
        arguments: [ENOSPC, EDQUOT]
    )
    func makesRoom(code: Int32) async throws {
        let folder = try TemporaryFolder()
        let disk = LimitedDisk(folder, capacity: 2_000_000, code: code)
        let store = try await store(folder, disk)
        for number in 0..<12 {
            #expect(try await store.put(.pattern(UInt64(number), count: 400_000), at: "/\(number)"))
            #expect(try await store.entries(for: .test("/\(number)")).count == 1)
        }
        #expect(disk.failureCount > 0)
        let left = try await store.allEntries()
        #expect(!left.isEmpty && left.count < 12)
        #expect(left.map(\.key) == (12 - left.count..<12).map { .test("/\($0)") })
        for (entry, number) in zip(left, 12 - left.count..<12) {
            #expect(try await store.data(of: entry) == .pattern(UInt64(number), count: 400_000))
        }
        // Each entry consists of two files only.
        #expect(try files(folder).count == 2 * left.count)
    }

    @Test(
        "on a full disk without entries to remove, the error names the cause, and no file is left",
        arguments: [0, 50_000, 150_000]
    )
    func nothingToRemove(capacity: Int64) async throws {
        let folder = try TemporaryFolder()
        let disk = LimitedDisk(folder, capacity: capacity)
        let store = try await store(folder, disk)
        let error = await #expect(throws: CacheStoreError.self) {
            try await store.put(.pattern(1, count: 200_000))
        }
        guard case .diskFull(let path, ENOSPC)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path.hasPrefix(folder.url.path))
        #expect(error?.code == ENOSPC)
        #expect(error?.localizedDescription.contains("the disk is full") == true)
        #expect(disk.failureCount == 1)
        #expect(try await store.allEntries().isEmpty)
        #expect(try files(folder).isEmpty)
        disk.resize(10_000_000)
        #expect(try await store.put(Data("x".utf8)))
    }

    @Test("a response that does not fit on a full disk after a second attempt is not stored")
    func givesUp() async throws {
        let folder = try TemporaryFolder()
        let disk = LimitedDisk(folder, capacity: 300_000)
        let store = try await store(folder, disk)
        try await store.put(.pattern(1, count: 100_000), at: "/small")
        await #expect(throws: CacheStoreError.self) { try await store.put(.pattern(1, count: 900_000), at: "/large") }
        #expect(disk.failureCount == 2)
        #expect(try await store.entries(for: .test("/large")).isEmpty)
        #expect(try files(folder).count == 2 * (try await store.allEntries().count))
    }

    @Test("the head of a cache entry is written after entries are removed for it on a full disk")
    func update() async throws {
        let folder = try TemporaryFolder()
        let disk = LimitedDisk(folder, capacity: 10_000_000)
        let store = try await store(folder, disk)
        try await store.put(.pattern(1, count: 2_000_000), at: "/a")
        try await store.put(.pattern(1, count: 10_000), at: "/b")
        let entry = try #require(try await store.entries(for: .test("/b")).first)
        var changed = entry.head
        changed.headers[.eTag] = "\"2\""
        disk.resize(disk.used)
        _ = try await store.update(entry, to: changed)
        let left = try await store.allEntries()
        #expect(left.map(\.key) == [.test("/b")])
        #expect(left.first?.head.headers[.eTag] == "\"2\"")
        disk.resize(0)
        changed.headers[.eTag] = "\"3\""
        await #expect(throws: CacheStoreError.self) { try await store.update(entry, to: changed) }
        #expect(try files(folder).count == 2 * (try await store.allEntries().count))
    }

    @Test("an error of renaming a cache file is handled like an error of writing")
    func renaming() async throws {
        let folder = try TemporaryFolder()
        let isFull = Locked(false)
        var calls = FileCalls.Replaceable()
        calls.move = { path, destination throws(FileCalls.Failure) in
            let fails = isFull.withLock { isFull in
                defer { isFull = false }
                return isFull
            }
            if fails { throw FileCalls.Failure(code: ENOSPC) }
            try FileCalls.move(path, to: destination, isReplacing: true)
        }
        let store = try DiskCacheStore(directory: folder.url, calls: calls)
        _ = await store.size
        try await store.put(Data("old".utf8), at: "/old")
        isFull.withLock { $0 = true }
        #expect(try await store.put(Data("new".utf8), at: "/new"))
        #expect(try await store.allEntries().map(\.key) == [.test("/new")])
    }

    @Test("no request fails because its response cannot be stored on a full disk")
    func responses() async throws {
        let folder = try TemporaryFolder()
        let disk = LimitedDisk(folder, capacity: 0)
        let server = CachedServer(store: try await store(folder, disk)) { _, count in
            .text("\(count)", [.cacheControl: "max-age=60"])
        }
        #expect(try await server.get().text == "1")
        #expect(try await server.get().text == "2")
        #expect(server.cache.statistics.storeErrors == 2)
        disk.resize(10_000_000)
        #expect(try await server.get().text == "3")
        #expect(try await server.get().source == .cache)
    }

    static let codes: [(Int32, CacheStoreError)] = [
        (EACCES, .notPermitted(path: "/a", code: EACCES)), (EPERM, .notPermitted(path: "/a", code: EPERM)),
        (EROFS, .readOnly(path: "/a", code: EROFS)), (ENOSPC, .diskFull(path: "/a", code: ENOSPC)),
        (EDQUOT, .diskFull(path: "/a", code: EDQUOT)), (EMFILE, .tooManyOpenFiles(path: "/a", code: EMFILE)),
        (ENFILE, .tooManyOpenFiles(path: "/a", code: ENFILE)), (ENOTDIR, .notADirectory(URL(fileURLWithPath: "/a"))),
        (EIO, .system(path: "/a", code: EIO)),
    ]

    @Test("the case and the text of a cache error name its cause", arguments: codes)
    func causes(code: Int32, error: CacheStoreError) {
        #expect(CacheStoreError(path: "/a", code: code) == error)
        #expect(error.code == (code == ENOTDIR ? nil : code))
        #expect(error.localizedDescription.contains("/a"))
    }

    @Test("the cache's errors name a file in the path of the directory, and a directory that is not writable")
    func opening() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("x", to: "file")
        #expect(throws: CacheStoreError.notADirectory(URL(fileURLWithPath: file.path + "/cache"))) {
            _ = try DiskCacheStore(directory: file.appendingPathComponent("cache"))
        }
        // The superuser can write everywhere.
        guard geteuid() != 0 else { return }
        chmod(folder.url.path, 0o500)
        defer { chmod(folder.url.path, 0o700) }
        let path = folder.file("new").path
        #expect(throws: CacheStoreError.notPermitted(path: path, code: EACCES)) {
            _ = try DiskCacheStore(directory: folder.file("new"))
        }
    }
}
