import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The cache's store on disk keeps entries in files")
struct DiskCacheStoreTests {
    private func files(_ folder: TemporaryFolder, _ end: String) throws -> [URL] {
        let entries = folder.url.appendingPathComponent("v1")
        return try FileManager.default.subpathsOfDirectory(atPath: entries.path)
            .map { entries.appendingPathComponent($0) }
            .filter { $0.lastPathComponent.hasSuffix(end) && (try? FileStatus(path: $0.path))?.isFolder == false }
    }

    @Test("cache entries outlive their store, in the order of their use")
    func restart() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try DiskCacheStore(directory: folder.url)
            for path in ["/a", "/b"] { try await store.put(Data(path.utf8), at: path) }
        }
        let store = try DiskCacheStore(directory: folder.url)
        #expect(try await store.text("/a") == "/a")
        #expect(try await store.text("/b") == "/b")
        #expect(await store.size > 0)
        #expect(try DiskCacheStore.list(directory: folder.url).count == 2)
    }

    @Test("the use counts of cache entries and their order of use survive a restart")
    func useCounts() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try DiskCacheStore(directory: folder.url)
            for path in ["/a", "/b", "/c"] { try await store.put(Data(path.utf8), at: path) }
            for path in ["/b", "/a", "/a"] { _ = try await store.text(path) }
        }
        for count in 2...4 {
            let listed = try DiskCacheStore.list(directory: folder.url)
            #expect(listed.map(\.entry.key) == [.test("/c"), .test("/b"), .test("/a")])
            #expect(listed.map(\.entry.useCount) == [0, 1, count])
            let store = try DiskCacheStore(directory: folder.url)
            #expect(try await store.entries(for: .test("/a")).map(\.useCount) == [count])
            let entry = try #require(try await store.entries(for: .test("/a")).first)
            // A new head keeps the use count.
            _ = try await store.update(entry, to: entry.head)
            _ = try await store.text("/a")
        }
    }

    @Test("the use counts of cache entries are written while the store is open")
    func useCountsOfOpenStore() async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(directory: folder.url)
        try await store.put(Data("x".utf8))
        for _ in 0..<3 { _ = try await store.text() }
        try await eventually { try DiskCacheStore.list(directory: folder.url).first?.entry.useCount == 3 }
        withExtendedLifetime(store) {}
    }

    @Test("the update of a cache entry does not change the order of use")
    func orderAfterUpdate() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try DiskCacheStore(directory: folder.url)
            for path in ["/a", "/b"] { try await store.put(Data(path.utf8), at: path) }
            for path in ["/a", "/b"] { _ = try await store.text(path) }
        }
        do {
            let store = try DiskCacheStore(directory: folder.url)
            let entry = try #require(try await store.entries(for: .test("/a")).first)
            _ = try await store.update(entry, to: entry.head)
        }
        let listed = try DiskCacheStore.list(directory: folder.url)
        #expect(listed.map(\.entry.key) == [.test("/a"), .test("/b")])
        #expect(listed.map(\.entry.useCount) == [1, 1])
    }

    @Test("a body that cannot be opened is not counted as a use of its cache entry")
    func unopenedBody() async throws {
        let folder = try TemporaryFolder()
        let isFailing = Locked(false)
        let store = try DiskCacheStore(
            directory: folder.url,
            calls: calls(failingWith: EMFILE) { isFailing.withLock { $0 } }
        )
        try await store.put(Data("x".utf8))
        let entry = try #require(try await store.entries(for: .test("/a")).first)
        isFailing.withLock { $0 = true }
        await #expect(throws: CacheStoreError.self) { _ = try await store.body(of: entry, range: nil) }
        isFailing.withLock { $0 = false }
        #expect(try await store.allEntries().map(\.useCount) == [0])
    }

    @Test("a named pipe in place of a file does not block the cache's store", .timeLimit(.minutes(1)))
    func pipe() async throws {
        for end in [".head", ".body"] {
            let folder = try TemporaryFolder()
            do {
                let store = try DiskCacheStore(directory: folder.url)
                try await store.put(Data("x".utf8))
            }
            let file = try #require(try files(folder, end).first)
            try FileManager.default.removeItem(at: file)
            #expect(mkfifo(file.path, 0o600) == 0)
            let store = try DiskCacheStore(directory: folder.url)
            #expect(try await store.text() == nil)
        }
    }

    @Test("a second store of a cache directory is refused while the first store exists")
    func inUse() async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(directory: folder.url)
        #expect(throws: CacheStoreError.inUse(folder.url)) { _ = try DiskCacheStore(directory: folder.url) }
        withExtendedLifetime(store) {}
        let error: any LocalizedError = CacheStoreError.inUse(folder.url)
        #expect(error.errorDescription?.contains("in use") == true)
    }

    @Test("only the owner can read the files of a cache")
    func permissions() async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(directory: folder.url.appendingPathComponent("new"))
        try await store.put(Data("x".utf8))
        for case let path as String in try #require(FileManager.default.enumerator(atPath: store.directory.path)) {
            let attributes = try FileManager.default.attributesOfItem(atPath: store.directory.path + "/" + path)
            let mode = try #require(attributes[.posixPermissions] as? Int)
            #expect(mode & 0o077 == 0, "\(path)")
        }
    }

    @Test("a file or a symbolic link in place of the cache directory is refused")
    func notADirectory() throws {
        let folder = try TemporaryFolder()
        let remote = URL(string: "http://server.test\(folder.file("new").path)")!
        #expect(throws: CacheStoreError.notADirectory(remote)) { _ = try DiskCacheStore(directory: remote) }
        #expect(try folder.names.isEmpty)
        let file = folder.file("file")
        try Data().write(to: file)
        #expect(throws: CacheStoreError.self) { _ = try DiskCacheStore(directory: file) }
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
        #expect(throws: CacheStoreError.notADirectory(URL(fileURLWithPath: link.path))) {
            _ = try DiskCacheStore(directory: link)
        }
    }

    @Test("a cache leaves the other files of its directory alone")
    func otherFiles() async throws {
        let folder = try TemporaryFolder()
        try Data("x".utf8).write(to: folder.file("notes"))
        let store = try DiskCacheStore(directory: folder.url)
        try await store.put(Data("x".utf8))
        try await store.removeAll()
        for end in [".head", ".body"] { #expect(try files(folder, end).isEmpty) }
        #expect(Set(try folder.names) == ["lock", "notes", "v1"])
    }

    @Test("the error of a streamed body from the cache has the error of the store as its cause")
    func unreadableStream() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("body")
        try Data("x".utf8).write(to: url)
        var calls = FileCalls.Replaceable()
        calls.open = { path throws(FileCalls.Failure) in try FileCalls.open(path, O_WRONLY) }
        let file = try #require(try DiskCacheFile(reading: url.path, calls))
        let error = await #expect(throws: URLError.self) { for try await _ in file.stream(0..<1) {} }
        #expect(error?.code == .cannotOpenFile)
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? CacheStoreError
        #expect(cause == .system(path: url.path, code: EBADF))
    }

    /// A kind of damage to a file.
    enum Damage: CaseIterable, Sendable {
        case removed, empty, shortened, lengthened, flipped, replaced
    }

    @Test("a damaged file of a cache is a miss and is removed", arguments: Damage.allCases, [".head", ".body"])
    func damage(damage: Damage, end: String) async throws {
        for size in [2000, 200_000] {
            let folder = try TemporaryFolder()
            do {
                let store = try DiskCacheStore(directory: folder.url)
                try await store.put(.pattern(1, count: size))
            }
            let file = try #require(try files(folder, end).first)
            var bytes = try Data(contentsOf: file)
            switch damage {
            case .removed: try FileManager.default.removeItem(at: file)
            case .empty: try Data().write(to: file)
            case .shortened: try bytes.dropLast().write(to: file)
            case .lengthened: try (bytes + [0]).write(to: file)
            case .flipped:
                bytes[bytes.count / 2] ^= 1
                try bytes.write(to: file)
            case .replaced: try Data(count: bytes.count).write(to: file)
            }
            let store = try DiskCacheStore(directory: folder.url)
            if let entry = try await store.entries(for: .test("/a")).first {
                #expect(try await store.data(of: entry) == nil)
            }
            #expect(try await store.allEntries().isEmpty)
            try await store.put(Data("new".utf8))
            #expect(try await store.text() == "new")
        }
    }

    @Test("the head of a cache entry is refused if any byte except the use count is changed, or if its length is wrong")
    func heads() throws {
        let response = CachedHead(
            status: 200,
            headers: [.eTag: "\"1\"", .vary: "accept"],
            selectingFields: ["accept": "x"],
            credentials: "c",
            requestTime: 1,
            responseTime: 2,
            part: CachedHead.Part(start: 1, completeLength: nil)
        )
        let file = DiskCacheHeadFile(key: .test("/a"), head: response, bodySize: 4, bodyChecksum: 7)
        let bytes = file.bytes
        #expect(DiskCacheHeadFile(bytes) == file)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x41
            let isOfUseCount = (8..<16).contains(index)
            #expect(DiskCacheHeadFile(changed)?.head == (isOfUseCount ? response : nil))
            #expect(DiskCacheHeadFile(Array(bytes.prefix(index))) == nil)
        }
    }

    @Test("the head of a cache entry with random bytes and a correct checksum is read or refused without a crash")
    func fuzz() throws {
        let response = CachedHead(
            status: 200,
            headers: [.eTag: "\"1\""],
            selectingFields: ["accept": nil],
            requestTime: 1,
            responseTime: 2
        )
        let bytes = DiskCacheHeadFile(key: .test("/a"), head: response, bodySize: 4, bodyChecksum: 7).bytes
        var generator = SeededGenerator(seed: 5)
        var readCount = 0
        for _ in 0..<20_000 {
            var content = Array(bytes[16...])
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: content.indices, using: &generator)
                content[index] =
                    [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            }
            var checksum = CRC32()
            checksum.update(Data(content))
            let sum = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(checksum.value) >> (8 * UInt64($0))) }
            if let file = DiskCacheHeadFile(DiskCacheHeadFile.magic + sum + content) {
                readCount += 1
                #expect((100...999).contains(file.head.status) && file.bodySize >= 0)
            }
        }
        #expect(readCount > 0)
    }

    /// Calls that open no file as long as a condition holds.
    private func calls(failingWith code: Int32, while condition: @escaping @Sendable () -> Bool)
        -> FileCalls.Replaceable
    {
        var calls = FileCalls.Replaceable()
        let open = calls.open
        calls.open = { path throws(FileCalls.Failure) in
            if condition() { throw FileCalls.Failure(code: code) }
            return try open(path)
        }
        return calls
    }

    @Test(
        "a file that cannot be opened now, for example because too many files are open, remains in the cache",
        arguments: [EMFILE, ENFILE, EACCES, EIO]
    )
    func unopenable(code: Int32) async throws {
        for size in [1, 200_000] {
            let folder = try TemporaryFolder()
            do {
                let store = try DiskCacheStore(directory: folder.url)
                try await store.put(.pattern(1, count: size))
            }
            let isFailing = Locked(true)
            let store = try DiskCacheStore(
                directory: folder.url,
                calls: calls(failingWith: code) { isFailing.withLock { $0 } }
            )
            await #expect(throws: CacheStoreError.self) { _ = try await store.entries(for: .test("/a")) }
            await #expect(throws: CacheStoreError.self) { _ = try await store.allEntries() }
            isFailing.withLock { $0 = false }
            let entry = try #require(try await store.entries(for: .test("/a")).first)
            isFailing.withLock { $0 = true }
            let error = await #expect(throws: CacheStoreError.self) { _ = try await store.body(of: entry, range: nil) }
            #expect(error?.code == code)
            isFailing.withLock { $0 = false }
            #expect(try await store.data(of: entry) == .pattern(1, count: size))
            #expect(try await store.allEntries().count == 1)
        }
    }

    @Test("entries are removed from the cache even if their files cannot be opened")
    func removalOfUnopenable() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try DiskCacheStore(directory: folder.url)
            try await store.put(Data("x".utf8))
        }
        let store = try DiskCacheStore(directory: folder.url, calls: calls(failingWith: EMFILE) { true })
        try await store.removeEntries(for: .test("/a"))
        #expect(try await store.allEntries().isEmpty)
        #expect(try DiskCacheStore.list(directory: folder.url).isEmpty)
    }

    @Test("a request whose stored response cannot be opened is sent, and its response replaces the stored one")
    func requestOfUnopenable() async throws {
        let folder = try TemporaryFolder()
        let isFailing = Locked(false)
        let store = try DiskCacheStore(
            directory: folder.url,
            calls: calls(failingWith: EMFILE) { isFailing.withLock { $0 } }
        )
        let server = CachedServer(store: store) { _, count in .text("\(count)", [.cacheControl: "max-age=60"]) }
        #expect(try await server.get().text == "1")
        isFailing.withLock { $0 = true }
        #expect(try await server.get().text == "2")
        #expect(server.cache.statistics.storeErrors == 1)
        isFailing.withLock { $0 = false }
        #expect(try await server.get().text == "2")
        #expect(try await store.allEntries().count == 1)
        #expect(server.count == 2)
    }

    @Test("files that a killed process left in a cache are removed")
    func leftovers() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try DiskCacheStore(directory: folder.url)
            try await store.put(Data("x".utf8))
        }
        let entries = folder.url.appendingPathComponent("v1")
        let shard = entries.appendingPathComponent("00")
        try FileManager.default.createDirectory(at: shard, withIntermediateDirectories: true)
        for name in [
            "0000000000000001-0000000000000001.tmp", "0000000000000001-0000000000000002.body", "other", "x.head",
            "8000000000000001-0000000000000003.head", "8000000000000001-0000000000000003.body",
        ] {
            try Data("?".utf8).write(to: entries.appendingPathComponent(name))
            // The last two files are in the folder of another shard.
            try Data("?".utf8).write(to: shard.appendingPathComponent(name))
        }
        let store = try DiskCacheStore(directory: folder.url)
        #expect(try await store.allEntries().count == 1)
        #expect(try files(folder, "").count == 2)
        #expect(try await store.text() == "x")
    }

    @Test("the body of a cache entry is read to its end even if the entry is replaced in the meantime")
    func replacedWhileRead() async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(directory: folder.url)
        let data = Data.pattern(3, count: 1_000_000)
        try await store.put(data)
        let entry = try #require(try await store.entries(for: .test("/a")).first)
        guard case .stream(let stream)? = try await store.body(of: entry, range: nil) else {
            Issue.record("A large body is a stream.")
            return
        }
        var iterator = stream.makeAsyncIterator()
        var read = try await iterator.next() ?? Data()
        try await store.put(Data("new".utf8), replacing: [entry.id])
        while let chunk = try await iterator.next() { read += chunk }
        #expect(read == data)
    }

    @Test("files and folders of a cache that disappear while the store is open cause only misses or errors")
    func disappearing() async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(directory: folder.url)
        try await store.put(Data("x".utf8))
        let entry = try #require(try await store.entries(for: .test("/a")).first)
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("v1"))
        #expect(try await store.data(of: entry) == nil)
        await #expect(throws: CacheStoreError.self) { _ = try await store.put(Data("y".utf8)) }
        #expect(try await store.allEntries().isEmpty)
    }

    @Test("after two concurrent updates of a cache entry, its head on disk is the one in memory")
    func concurrentUpdates() async throws {
        let folder = try TemporaryFolder()
        let (isFirstUpdate, isMoved, isOvertaken) = (Locked(false), Promise<Void>(), DispatchSemaphore(value: 0))
        var calls = FileCalls.Replaceable()
        let move = calls.move
        calls.move = { path, destination throws(FileCalls.Failure) in
            try move(path, destination)
            let mustWait = isFirstUpdate.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard mustWait else { return }
            isMoved.fulfill(())
            // The second update would end in this time if it could overtake the first one.
            _ = isOvertaken.wait(timeout: .now() + 0.2)
        }
        let store = try DiskCacheStore(directory: folder.url, calls: calls)
        try await store.put(Data("x".utf8))
        let entry = try #require(try await store.entries(for: .test("/a")).first)
        func update(to tag: String) async throws {
            var head = entry.head
            head.headers[.eTag] = tag
            _ = try await store.update(entry, to: head)
        }
        isFirstUpdate.withLock { $0 = true }
        async let first: Void = update(to: "\"2\"")
        await isMoved.wait()
        try await update(to: "\"3\"")
        isOvertaken.signal()
        try await first
        let inMemory = try await store.entries(for: .test("/a")).map { $0.head.headers[.eTag] }
        let onDisk = try DiskCacheStore.list(directory: folder.url).map { $0.entry.head.headers[.eTag] }
        #expect(inMemory == onDisk && onDisk.count == 1)
    }

    @Test("a head that is replaced often does not displace the heads of other cache entries from memory")
    func keptHeads() {
        let ids = [1, 2].map { CacheEntry.ID(rawValue: $0) }
        var index = DiskCacheIndex()
        index.add(
            ids.map { id in
                let name = DiskCacheEntryName(hash: 0, id: id)
                return DiskCacheFiles.FoundEntry(name: name, headSize: 1, bodySize: 1, lastUse: 1)
            }
        )
        let headFile = DiskCacheHeadFile(
            key: .test("/a"),
            head: CachedHead(status: 200, requestTime: 1, responseTime: 2),
            bodySize: 1,
            bodyChecksum: 0
        )
        index.keepHead(headFile, of: ids[0])
        for _ in 0...DiskCacheIndex.maximumHeads { index.keepHead(headFile, of: ids[1]) }
        #expect(ids.allSatisfy { index.table[$0]?.headFile != nil })
    }

    @Test("a cancelled task does not treat a large body in the cache as damaged")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try DiskCacheStore(directory: folder.url)
            try await store.put(.pattern(1, count: 500_000))
        }
        let store = try DiskCacheStore(directory: folder.url)
        let entry = try #require(try await store.entries(for: .test("/a")).first)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.data(of: entry)
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await store.data(of: entry)?.count == 500_000)
    }

    @Test("a cache file of another format version is not read")
    func version() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try DiskCacheStore(directory: folder.url)
            try await store.put(Data("x".utf8))
        }
        let head = try #require(try files(folder, ".head").first)
        var bytes = try Data(contentsOf: head)
        bytes[7] = 2
        try bytes.write(to: head)
        let store = try DiskCacheStore(directory: folder.url)
        #expect(try await store.entries(for: .test("/a")).isEmpty)
    }
}
