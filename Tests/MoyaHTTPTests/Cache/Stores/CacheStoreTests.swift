import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

/// The stores of the library.
enum StoreKind: CaseIterable, Sendable {
    case memory
    case disk

    /// Runs a test with an empty store.
    func withStore(maximumSize: Int64 = 4 << 20, _ body: (any CacheStore) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(MemoryCacheStore(maximumSize: maximumSize))
        case .disk:
            let folder = try TemporaryFolder()
            try await body(try DiskCacheStore(directory: folder.url, maximumSize: maximumSize))
        }
    }
}

extension CacheStore {
    @discardableResult
    func put(
        _ body: Data,
        at path: String = "/a",
        headers: HTTPFields = [.eTag: "\"1\""],
        replacing replaced: [CacheEntry.ID] = []
    ) async throws -> Bool {
        let response = CachedHead(status: 200, headers: headers, requestTime: 1, responseTime: 2)
        guard
            let writer = try await write(response, for: .test(path), length: Int64(body.count), replacing: replaced)
        else { return false }
        for start in stride(from: 0, to: body.count, by: 100_000) {
            guard try await writer.append(body.dropFirst(start).prefix(100_000)) else { return false }
        }
        try await writer.finish()
        return true
    }

    func text(_ path: String = "/a", range: Range<Int64>? = nil) async throws -> String? {
        guard let entry = try await entries(for: .test(path)).first else { return nil }
        return try await data(of: entry, range).map { String(decoding: $0, as: UTF8.self) }
    }

    func data(of entry: CacheEntry, _ range: Range<Int64>? = nil) async throws -> Data? {
        switch try await body(of: entry, range: range) {
        case nil: return nil
        case .complete(let data)?: return data
        case .stream(let stream)?:
            var data = Data()
            for try await chunk in stream { data += chunk }
            return data
        }
    }
}

extension CacheKey {
    static func test(_ path: String) -> CacheKey { CacheKey(URL(string: "http://server.test\(path)")!) }
}

extension Data {
    /// Bytes that a number determines.
    static func pattern(_ seed: UInt64, count: Int) -> Data {
        var generator = SeededGenerator(seed: seed)
        var data = Data(capacity: count + 8)
        while data.count < count { Swift.withUnsafeBytes(of: generator.next()) { data.append(contentsOf: $0) } }
        return data.prefix(count)
    }
}

@Suite("The stores of the cache keep entries")
struct CacheStoreTests {
    @Test("a cache entry becomes visible when it is finished, with its head and body", arguments: StoreKind.allCases)
    func finish(kind: StoreKind) async throws {
        try await kind.withStore { store in
            var headers = HTTPFields()
            for (name, value) in [("X-One", "1"), ("x-two", ""), ("X-One", "ä, b")] {
                headers.append(HTTPField(name: HTTPField.Name(name)!, value: value))
            }
            let response = CachedHead(
                status: 203,
                headers: headers,
                selectingFields: ["accept": "x", "cookie": nil],
                credentials: "c",
                requestTime: 1.5,
                responseTime: 2.25,
                isDecoded: false,
                part: CachedHead.Part(start: 3, completeLength: 20)
            )
            let writer = try #require(try await store.write(response, for: .test("/a"), length: nil, replacing: []))
            #expect(try await writer.append(Data("ab".utf8)))
            #expect(try await store.entries(for: .test("/a")).isEmpty)
            #expect(try await writer.append(Data("cd".utf8)))
            try await writer.finish()
            let entry = try #require(try await store.entries(for: .test("/a")).first)
            #expect(entry.head == response && entry.bodySize == 4 && entry.key == .test("/a"))
            #expect(entry.head.headers.map(\.name.rawName) == ["X-One", "x-two", "X-One"])
            #expect(try await store.text() == "abcd")
            #expect(try await store.text(range: 1..<3) == "bc")
            #expect(try await store.text(range: 1..<9) == nil)
            #expect(try await store.entries(for: .test("/b")).isEmpty)
        }
    }

    @Test(
        "bodies of all sizes are returned unchanged from the cache",
        arguments: StoreKind.allCases,
        [0, 1, 65_535, 65_536, 65_537, 700_001]
    )
    func sizes(kind: StoreKind, size: Int) async throws {
        try await kind.withStore { store in
            let data = Data.pattern(UInt64(size), count: size)
            #expect(try await store.put(data))
            let entry = try #require(try await store.entries(for: .test("/a")).first)
            #expect(try await store.data(of: entry) == data)
            if size > 2 { #expect(try await store.data(of: entry, 1..<Int64(size - 1)) == data.dropFirst().dropLast()) }
        }
    }

    @Test("a head that makes its entry exceed the size of the cache is not stored", arguments: StoreKind.allCases)
    func tooLongHead(kind: StoreKind) async throws {
        try await kind.withStore(maximumSize: 100_000) { store in
            try await store.put(Data("body".utf8))
            let entry = try #require(try await store.entries(for: .test("/a")).first)
            var head = entry.head
            head.headers[.eTag] = "\"\(String(repeating: "x", count: 120_000))\""
            #expect(try await store.update(entry, to: head) == false)
            #expect(try await store.allEntries().isEmpty)
        }
    }

    @Test("discarded or unfinished cache entries leave no files", arguments: StoreKind.allCases)
    func discard(kind: StoreKind) async throws {
        try await kind.withStore { store in
            let response = CachedHead(status: 200, requestTime: 1, responseTime: 2)
            for isDiscarded in [false, true] {
                let writer = try await store.write(response, for: .test("/a"), length: nil, replacing: [])
                _ = try await writer?.append(Data("abc".utf8))
                if isDiscarded {
                    await writer?.discard()
                    try await writer?.finish()
                }
            }
            #expect(try await store.allEntries().isEmpty)
            #expect(await store.size == 0)
        }
    }

    @Test("a new cache entry replaces earlier entries when it becomes visible", arguments: StoreKind.allCases)
    func replace(kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.put(Data("old".utf8))
            let old = try #require(try await store.entries(for: .test("/a")).first)
            try await store.put(Data("new".utf8), replacing: [old.id])
            let entries = try await store.entries(for: .test("/a"))
            #expect(entries.count == 1 && entries.first?.id != old.id)
            #expect(try await store.text() == "new")
            #expect(try await store.data(of: old) == nil)
        }
    }

    @Test("an update of a cache entry changes the head and keeps the body", arguments: StoreKind.allCases)
    func update(kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.put(Data("body".utf8))
            let entry = try #require(try await store.entries(for: .test("/a")).first)
            var head = entry.head
            head.headers[.eTag] = "\"2\""
            #expect(try await store.update(entry, to: head))
            let updated = try #require(try await store.entries(for: .test("/a")).first)
            #expect(updated.head == head && updated.id == entry.id)
            #expect(try await store.text() == "body")
            try await store.remove(entry)
            #expect(try await store.update(entry, to: head) == false)
            #expect(try await store.allEntries().isEmpty)
            #expect(await store.size == 0)
        }
    }

    @Test("the size of a cache entry in memory includes the fields of its request that Vary names")
    func selectingFields() async throws {
        let store = MemoryCacheStore()
        var sizes: [Int64] = []
        for value in [nil, String(repeating: "x", count: 10_000)] as [String?] {
            let head = CachedHead(status: 200, selectingFields: ["accept": value], requestTime: 1, responseTime: 2)
            try await store.write(head, for: .test("/a"), length: 0, replacing: [])?.finish()
            sizes.append(await store.size)
        }
        #expect(sizes[0] > 0 && sizes[1] == 2 * sizes[0] + 10_000)
    }

    @Test("a single cache entry, the entries of a key, or all entries can be removed", arguments: StoreKind.allCases)
    func remove(kind: StoreKind) async throws {
        try await kind.withStore { store in
            for path in ["/a", "/a", "/b", "/c"] { try await store.put(Data(path.utf8), at: path) }
            let one = try #require(try await store.entries(for: .test("/a")).first)
            try await store.remove(one)
            #expect(try await store.entries(for: .test("/a")).count == 1)
            try await store.removeEntries(for: .test("/a"))
            #expect(try await store.allEntries().count == 2)
            try await store.removeAll()
            #expect(try await store.allEntries().isEmpty)
            #expect(await store.size == 0)
        }
    }

    @Test(
        "the least recently used cache entries are removed first, and the size stays within its limit",
        arguments: StoreKind.allCases
    )
    func eviction(kind: StoreKind) async throws {
        try await kind.withStore(maximumSize: 200_000) { store in
            // The directory is read in the background, and nothing is removed before that.
            #expect(await store.size == 0)
            for index in 0..<5 { try await store.put(Data(count: 30_000), at: "/\(index)") }
            #expect(try await store.text("/0") != nil)
            try await store.put(Data(count: 80_000), at: "/x")
            #expect(try await store.text("/0") != nil)
            #expect(try await store.text("/1") == nil)
            #expect(try await store.text("/x") != nil)
            #expect(await store.size <= 200_000)
            #expect(try await store.allEntries().last?.key == .test("/x"))
        }
    }

    @Test(
        "a body that is too large for the cache is refused at the beginning or during writing",
        arguments: StoreKind.allCases
    )
    func tooLarge(kind: StoreKind) async throws {
        try await kind.withStore(maximumSize: 100_000) { store in
            try await store.put(Data("small".utf8), at: "/small")
            #expect(try await store.put(Data(count: 60_000)) == false)
            let response = CachedHead(status: 200, requestTime: 1, responseTime: 2)
            let writer = try #require(try await store.write(response, for: .test("/a"), length: nil, replacing: []))
            #expect(try await writer.append(Data(count: 40_000)))
            #expect(try await writer.append(Data(count: 40_000)) == false)
            try await writer.finish()
            #expect(try await store.allEntries().map(\.key) == [.test("/small")])
        }
    }

    @Test("a head that is too large for the cache, alone or with its body, is refused", arguments: StoreKind.allCases)
    func largeHead(kind: StoreKind) async throws {
        try await kind.withStore(maximumSize: 100_000) { store in
            try await store.put(Data("small".utf8), at: "/small")
            for (headSize, bodySize) in [(60_000, 1), (30_000, 30_000)] {
                let headers: HTTPFields = [.eTag: String(repeating: "x", count: headSize)]
                #expect(try await store.put(Data(count: bodySize), headers: headers) == false)
                let head = CachedHead(status: 200, headers: headers, requestTime: 1, responseTime: 2)
                let writer = try await store.write(head, for: .test("/a"), length: nil, replacing: [])
                #expect(try await writer?.append(Data(count: bodySize)) != true)
            }
            #expect(try await store.allEntries().map(\.key) == [.test("/small")])
        }
    }

    @Test(
        "concurrent readers and writers never combine the head and the body of different cache entries",
        arguments: StoreKind.allCases
    )
    func concurrency(kind: StoreKind) async throws {
        try await kind.withStore(maximumSize: 600_000) { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<16 {
                    group.addTask {
                        var generator = SeededGenerator(seed: UInt64(worker))
                        for _ in 0..<60 {
                            let path = "/\(UInt8.random(in: 0..<4, using: &generator))"
                            let entries = try await store.entries(for: .test(path))
                            if Bool.random(using: &generator), let entry = entries.randomElement(using: &generator) {
                                guard let data = try await store.data(of: entry) else { continue }
                                let seed = entry.head.headers[.eTag].flatMap { UInt64($0) } ?? 0
                                #expect(data == Data.pattern(seed, count: Int(entry.bodySize)))
                            } else {
                                let seed = UInt64.random(in: 0..<1_000_000, using: &generator)
                                let body = Data.pattern(seed, count: Int(seed % 90_000))
                                try await store.put(
                                    body,
                                    at: path,
                                    headers: [.eTag: "\(seed)"],
                                    replacing: entries.map(\.id)
                                )
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(await store.size <= 600_000)
        }
    }
}
