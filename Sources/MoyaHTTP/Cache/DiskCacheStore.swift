import Foundation
import HTTPTypes

/// A store of cached responses in a directory, which keeps those that were used last.
///
/// An entry is two files, of the response's head and of its body, which are written under another name and then renamed: a process
/// that is killed at any moment leaves complete entries, and files that the next one removes. A damaged file is as if there were
/// no entry.
///
/// A directory is used by one store at a time. Its files are readable by their owner only: they have the bodies and fields of
/// responses, cookies included, without encryption.
public final class DiskCacheStore: CacheStore {
    /// The directory.
    public let directory: URL
    /// The number of bytes that the entries may occupy.
    public let maximumSize: Int64

    private let files: CacheDirectory
    private let state: Locked<State>
    /// Removes files.
    private let sweeper = DispatchQueue(label: "moya.cache", qos: .utility)

    /// What is known of an entry without reading its files.
    private struct Slot: Sendable {
        let hash: UInt64
        var cost: Int64
        var hits = 0
        /// The head, once it was read.
        var file: CacheFile?
        /// When the file's time was set, so that the next process knows the order of use.
        var touched: Double
        /// Whether the body was compared with its checksum.
        var isVerified = false
    }

    private struct State: Sendable {
        var slots = RecencyTable<Slot>()
        var ids: [UInt64: [CacheEntry.ID]] = [:]
        var size: Int64 = 0
        /// The number of heads in memory.
        var headCount = 0

        mutating func insert(_ id: CacheEntry.ID, _ slot: Slot) {
            slots[id] = slot
            ids[slot.hash, default: []].append(id)
            size += slot.cost
            if slot.file != nil { headCount += 1 }
        }

        mutating func remove(_ id: CacheEntry.ID) -> Slot? {
            guard let slot = slots.remove(id) else { return nil }
            size -= slot.cost
            if slot.file != nil { headCount -= 1 }
            ids[slot.hash]?.removeAll { $0 == id }
            if ids[slot.hash]?.isEmpty == true { ids[slot.hash] = nil }
            return slot
        }

        /// Keeps a head in memory, and forgets the others when there are too many.
        mutating func remember(_ file: CacheFile, of id: CacheEntry.ID) {
            guard slots[id] != nil else { return }
            if headCount >= maximumHeads {
                for (id, _) in slots.all { slots[id]?.file = nil }
                headCount = 0
            }
            if slots[id]?.file == nil { headCount += 1 }
            slots[id]?.file = file
        }

        private let maximumHeads = 2000
    }

    /// Opens a directory, which is created if necessary.
    ///
    /// - Parameters:
    ///   - directory: The directory, which belongs to the store alone.
    ///   - maximumSize: The number of bytes that the entries may occupy, heads included. A response that needs more than half of it
    ///     is not stored.
    /// - Throws: ``CacheStoreError``.
    public init(directory: URL, maximumSize: Int64 = 100 << 20) throws(CacheStoreError) {
        self.directory = directory
        self.maximumSize = max(0, maximumSize)
        files = try CacheDirectory(opening: directory)
        var state = State()
        for found in try files.read() {
            let slot = Slot(
                hash: found.name.hash,
                cost: Self.cost(found.headSize, found.bodySize),
                touched: found.lastUse
            )
            state.insert(found.name.id, slot)
        }
        self.state = Locked(state)
        evict()
    }

    /// Returns the entries of a directory without opening it, while another process uses it.
    package static func list(directory: URL) throws(CacheStoreError) -> [(entry: CacheEntry, lastUse: Double)] {
        try CacheDirectory.list(directory).compactMap { found in
            guard let file = CacheDirectory.readHead(found.name, in: directory) else { return nil }
            return (CacheEntry(found.name.id, file, hits: 0), found.lastUse)
        }
    }

    // MARK: CacheStore

    /// Returns the entries for a key.
    public func entries(for key: CacheKey) async throws -> [CacheEntry] {
        let hash = CacheFileName.hash(key)
        let known = state.withLock { state in
            (state.ids[hash] ?? []).compactMap { id in state.slots[id].map { (id, $0) } }
        }
        return known.compactMap { id, slot in
            guard let entry = entry(id, slot) else { return nil }
            return entry.key == key ? entry : nil
        }
    }

    /// Returns the body of an entry.
    public func body(of entry: CacheEntry, range: Range<Int64>?) async throws -> TransportBody? {
        let now = Date().timeIntervalSince1970
        let slot: (slot: Slot, isTouched: Bool)? = state.withLock { state in
            guard var slot = state.slots[entry.id] else { return nil }
            slot.hits += 1
            let isTouched = abs(now - slot.touched) > Self.touchInterval
            if isTouched { slot.touched = now }
            state.slots[entry.id] = slot
            state.slots.touch(entry.id)
            return (slot, isTouched)
        }
        guard let (slot, isTouched) = slot else { return nil }
        let name = CacheFileName(hash: slot.hash, id: entry.id)
        guard let file = slot.file ?? files.head(name), let body = files.body(name), body.size == file.bodySize else {
            drop(entry.id)
            return nil
        }
        if isTouched { files.touch(name) }
        let range = range ?? 0..<file.bodySize
        guard range.lowerBound >= 0, range.upperBound <= file.bodySize else { return nil }
        if file.bodySize <= Self.smallBody {
            guard let data = body.read(0..<file.bodySize), file.matches(data) else {
                drop(entry.id)
                return nil
            }
            let start = data.startIndex
            return .complete(
                range.count == data.count
                    ? data : data.subdata(in: start + Int(range.lowerBound)..<start + Int(range.upperBound))
            )
        }
        if !slot.isVerified {
            guard try await body.checksum() == file.bodyChecksum else {
                drop(entry.id)
                return nil
            }
            state.withLock { $0.slots[entry.id]?.isVerified = true }
        }
        return .stream(body.stream(range))
    }

    /// Begins to store a response.
    public func write(
        _ response: CachedResponse,
        for key: CacheKey,
        length: Int64?,
        replacing replaced: [CacheEntry.ID]
    ) async throws -> (any CacheWriter)? {
        guard Self.cost(0, length ?? 0) <= maximumSize / 2 else { return nil }
        let name = CacheFileName(
            hash: CacheFileName.hash(key),
            id: CacheEntry.ID(rawValue: UInt64.random(in: 1...UInt64.max))
        )
        let file = try files.create(name)
        return Writer(store: self, name: name, file: file, key: key, response: response, replaced: replaced)
    }

    /// Replaces the head of an entry.
    public func update(_ entry: CacheEntry, to response: CachedResponse) async throws {
        let slot = state.withLock { $0.slots[entry.id] }
        guard let slot else { return }
        let name = CacheFileName(hash: slot.hash, id: entry.id)
        guard var file = slot.file ?? files.head(name) else { return drop(entry.id) }
        file.response = response
        let size = try files.write(file, name)
        let isGone = state.withLock { state in
            guard let slot = state.slots[entry.id] else { return true }
            let cost = Self.cost(size, file.bodySize)
            state.size += cost - slot.cost
            state.slots[entry.id]?.cost = cost
            state.remember(file, of: entry.id)
            return false
        }
        // It was removed meanwhile, and must not come back with the next process.
        if isGone { remove([name]) }
    }

    /// Removes an entry.
    public func remove(_ entry: CacheEntry) async throws { drop(entry.id) }

    /// Removes all entries for a key.
    public func removeEntries(for key: CacheKey) async throws {
        for entry in try await entries(for: key) { drop(entry.id) }
    }

    /// Removes all entries.
    public func removeAll() async throws {
        let names = state.withLock { state in
            let names = state.slots.all.map { CacheFileName(hash: $0.value.hash, id: $0.id) }
            state = State()
            return names
        }
        for name in names { files.remove(name) }
    }

    /// Returns all entries, the least recently used first.
    public func allEntries() async throws -> [CacheEntry] {
        state.withLock { $0.slots.all }.compactMap { entry($0.id, $0.value) }
    }

    /// The number of bytes that the entries occupy.
    public var size: Int64 { get async { state.withLock { $0.size } } }

    // MARK: Entries

    /// The seconds after which the use of an entry is written to disk again.
    private static let touchInterval: Double = 60
    /// The size in bytes up to which a body is read at once.
    private static let smallBody: Int64 = 64 << 10

    /// The size of both files on disk, in blocks.
    private static func cost(_ head: Int64, _ body: Int64) -> Int64 {
        (max(1, head) + 4095) / 4096 * 4096 + (body / 4096 + (body % 4096 == 0 ? 0 : 1)) * 4096
    }

    private func entry(_ id: CacheEntry.ID, _ slot: Slot) -> CacheEntry? {
        if let file = slot.file { return CacheEntry(id, file, hits: slot.hits) }
        guard let file = files.head(CacheFileName(hash: slot.hash, id: id)) else {
            drop(id)
            return nil
        }
        state.withLock { $0.remember(file, of: id) }
        return CacheEntry(id, file, hits: slot.hits)
    }

    private func drop(_ id: CacheEntry.ID) {
        guard let slot = state.withLock({ $0.remove(id) }) else { return }
        remove([CacheFileName(hash: slot.hash, id: id)])
    }

    /// Removes entries that must not come back if the process is killed: their heads at once, and the rest later.
    private func remove(_ names: [CacheFileName]) {
        for name in names { files.removeHead(name) }
        sweep(names)
    }

    private func sweep(_ names: [CacheFileName]) {
        guard !names.isEmpty else { return }
        // Without the directory, which would be locked until the files are removed. The names are never used again.
        sweeper.async { [folder = files.folder] in for name in names { CacheDirectory.remove(name, in: folder) } }
    }

    /// Removes the least recently used entries of a store that is too large.
    private func evict() {
        let names = state.withLock { state in
            var names: [CacheFileName] = []
            while state.size > maximumSize, let id = state.slots.oldest, let slot = state.remove(id) {
                names.append(CacheFileName(hash: slot.hash, id: id))
            }
            return names
        }
        sweep(names)
    }

    fileprivate func insert(
        _ name: CacheFileName,
        _ file: CacheFile,
        headSize: Int64,
        replacing replaced: [CacheEntry.ID]
    ) {
        let slot = Slot(
            hash: name.hash,
            cost: Self.cost(headSize, file.bodySize),
            touched: Date().timeIntervalSince1970,
            isVerified: true
        )
        let old: [CacheFileName] = state.withLock { state in
            let old = replaced.compactMap { id in state.remove(id).map { CacheFileName(hash: $0.hash, id: id) } }
            state.insert(name.id, slot)
            state.remember(file, of: name.id)
            return old
        }
        remove(old)
        evict()
    }

    private final class Writer: CacheWriter {
        private let store: DiskCacheStore
        private let name: CacheFileName
        private let key: CacheKey
        private let response: CachedResponse
        private let replaced: [CacheEntry.ID]
        private let state: Locked<State>

        private struct State: Sendable {
            var file: OpenCacheFile?
            var checksum = CRC32()
            var size: Int64 = 0
        }

        init(
            store: DiskCacheStore,
            name: CacheFileName,
            file: OpenCacheFile,
            key: CacheKey,
            response: CachedResponse,
            replaced: [CacheEntry.ID]
        ) {
            self.store = store
            self.name = name
            self.key = key
            self.response = response
            self.replaced = replaced
            state = Locked(State(file: file))
        }

        func append(_ data: Data) async throws -> Bool {
            let file: OpenCacheFile? = state.withLock { state in
                guard let file = state.file else { return nil }
                state.checksum.update(data)
                state.size += Int64(data.count)
                return DiskCacheStore.cost(0, state.size) <= store.maximumSize / 2 ? file : nil
            }
            guard let file else {
                await discard()
                return false
            }
            do {
                try file.append(data)
                return true
            } catch {
                await discard()
                throw error
            }
        }

        func finish() async throws {
            let (open, checksum, size) = state.withLock { state in
                defer { state.file = nil }
                return (state.file, state.checksum.value, state.size)
            }
            guard let open else { return }
            let file = CacheFile(key: key, response: response, bodySize: size, bodyChecksum: checksum)
            do {
                try open.rename(to: store.files.path(name, .body))
                let headSize = try store.files.write(file, name)
                store.insert(name, file, headSize: headSize, replacing: replaced)
            } catch {
                store.files.remove(name)
                throw error
            }
        }

        func discard() async {
            // The file is removed with its last reference.
            let file = state.withLock { state in
                defer { state.file = nil }
                return state.file
            }
            withExtendedLifetime(file) {}
        }
    }
}

extension CacheEntry {
    fileprivate init(_ id: ID, _ file: CacheFile, hits: Int) {
        self.init(id: id, key: file.key, response: file.response, bodySize: file.bodySize, hits: hits)
    }
}

extension CacheFile {
    fileprivate func matches(_ body: Data) -> Bool {
        var checksum = CRC32()
        checksum.update(body)
        return checksum.value == bodyChecksum
    }
}
