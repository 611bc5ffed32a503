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
    /// Removes files, and writes what was used.
    private let sweeper = DispatchQueue(label: "moya.cache", qos: .utility)

    /// What is known of an entry without reading its files.
    private struct Slot: Sendable {
        let name: CacheFileName
        /// The number of uses; `nil` before the head was read.
        var hits: Int?
        /// The head, once it was read.
        var file: CacheFile?
        /// When it was used last, in seconds since 1970.
        var lastUse: Double
        /// Whether `hits` and `lastUse` are to be written to disk.
        var isUsed = false
        /// Whether the body was compared with its checksum.
        var isVerified = false
    }

    private struct State: Sendable {
        var table = CacheTable<UInt64, Slot>()
        /// The entries whose use is to be written to disk.
        var used: [CacheEntry.ID] = []
        /// The number of heads that were read since they were forgotten.
        private var headCount = 0

        /// Keeps a head in memory, and forgets the others when there are too many.
        mutating func remember(_ file: CacheFile, of id: CacheEntry.ID) {
            if headCount >= maximumHeads {
                for (id, _) in table.all { _ = table.change(id) { $0.file = nil } }
                headCount = 0
            }
            headCount += 1
            _ = table.change(id) { slot in
                slot.file = file
                if slot.hits == nil { slot.hits = file.hits }
            }
        }

        /// Counts a use of an entry; returns `nil` if it is gone.
        mutating func use(_ id: CacheEntry.ID, at now: Double) -> Slot? {
            table.touch(id)
            let mayNote = used.count < DiskCacheStore.maximumUsed
            var isNew = false
            let slot = table.change(id) { slot in
                slot.hits = (slot.hits ?? 0) + 1
                slot.lastUse = now
                isNew = !slot.isUsed && mayNote
                if isNew { slot.isUsed = true }
                return slot
            }
            if isNew { used.append(id) }
            return slot
        }

        /// Returns the entries whose use is to be written, the least recently used first, and forgets it.
        mutating func takeUsed() -> [Slot] {
            let ids = used
            used = []
            let slots = ids.compactMap { id in
                table.change(id) { slot in
                    slot.isUsed = false
                    return slot
                }
            }
            return slots.sorted { $0.lastUse < $1.lastUse }
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
            let cost = Self.cost(found.headSize, found.bodySize)
            let slot = Slot(name: found.name, lastUse: found.lastUse)
            state.table.insert(found.name.id, key: found.name.hash, cost: cost, slot)
        }
        self.state = Locked(state)
        evict()
    }

    deinit { writeUses() }

    /// Returns the entries of a directory without opening it, while another process uses it.
    package static func list(directory: URL) throws(CacheStoreError) -> [(entry: CacheEntry, lastUse: Double)] {
        try CacheDirectory.list(directory).compactMap { found in
            guard let file = CacheDirectory.readHead(found.name, in: directory) else { return nil }
            return (CacheEntry(found.name.id, file, hits: file.hits), found.lastUse)
        }
    }

    // MARK: CacheStore

    /// Returns the entries for a key.
    public func entries(for key: CacheKey) async throws -> [CacheEntry] {
        let hash = CacheFileName.hash(key)
        let known = state.withLock { state in
            state.table.ids(for: hash).compactMap { state.table[$0] }
        }
        return known.compactMap { entry($0) }.filter { $0.key == key }
    }

    /// Returns the body of an entry.
    public func body(of entry: CacheEntry, range: Range<Int64>?) async throws -> TransportBody? {
        let now = Date().timeIntervalSince1970
        let (used, isFirst) = state.withLock { state in
            let wereUsed = !state.used.isEmpty
            return (state.use(entry.id, at: now), !wereUsed && !state.used.isEmpty)
        }
        if isFirst { writeUsesLater() }
        guard let slot = used else { return nil }
        let name = slot.name
        guard let file = slot.file ?? files.head(name), let body = files.body(name), body.size == file.bodySize else {
            drop(entry.id)
            return nil
        }
        let range = range ?? 0..<file.bodySize
        guard range.lowerBound >= 0, range.upperBound <= file.bodySize else { return nil }
        if file.bodySize <= Self.smallBody {
            guard let data = body.read(0..<file.bodySize), file.matches(data) else {
                drop(entry.id)
                return nil
            }
            return .complete(range.count == data.count ? data : data.part(range))
        }
        if !slot.isVerified {
            guard try await body.checksum() == file.bodyChecksum else {
                drop(entry.id)
                return nil
            }
            _ = state.withLock { $0.table.change(entry.id) { $0.isVerified = true } }
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
        // First without the rounding, which could overflow: a server may declare any length.
        guard length ?? 0 <= maximumSize / 2, Self.cost(0, length ?? 0) <= maximumSize / 2 else { return nil }
        let name = CacheFileName(
            hash: CacheFileName.hash(key),
            id: CacheEntry.ID(rawValue: UInt64.random(in: 1...UInt64.max))
        )
        let file = try files.create(name)
        return Writer(store: self, name: name, file: file, key: key, response: response, replaced: replaced)
    }

    /// Replaces the head of an entry.
    public func update(_ entry: CacheEntry, to response: CachedResponse) async throws {
        let slot = state.withLock { $0.table[entry.id] }
        guard let slot else { return }
        guard var file = slot.file ?? files.head(slot.name) else { return drop(entry.id) }
        file.response = response
        file.hits = slot.hits ?? file.hits
        let size = try files.write(file, slot.name)
        let isGone = state.withLock { state in
            guard state.table[entry.id] != nil else { return true }
            state.table.setCost(Self.cost(size, file.bodySize), of: entry.id)
            state.remember(file, of: entry.id)
            return false
        }
        // It was removed meanwhile, and must not come back with the next process.
        if isGone { remove([slot.name]) }
        evict()
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
            let names = state.table.all.map(\.value.name)
            state = State()
            return names
        }
        for name in names { files.remove(name) }
    }

    /// Returns all entries, the least recently used first.
    public func allEntries() async throws -> [CacheEntry] {
        state.withLock { $0.table.all }.compactMap { entry($0.value) }
    }

    /// The number of bytes that the entries occupy.
    public var size: Int64 { get async { state.withLock { $0.table.size } } }

    // MARK: Entries

    /// The time after which the use of an entry is written to disk.
    private static let writeInterval = DispatchTimeInterval.seconds(5)
    /// The maximum number of entries whose use is written at a time.
    ///
    /// That of others is written after their next use.
    private static let maximumUsed = 1000
    /// The size in bytes up to which a body is read at once.
    private static let smallBody: Int64 = 64 << 10

    /// The size of both files on disk, in blocks.
    private static func cost(_ head: Int64, _ body: Int64) -> Int64 {
        (max(1, head) + 4095) / 4096 * 4096 + (body / 4096 + (body % 4096 == 0 ? 0 : 1)) * 4096
    }

    private func entry(_ slot: Slot) -> CacheEntry? {
        let id = slot.name.id
        if let file = slot.file { return CacheEntry(id, file, hits: slot.hits ?? file.hits) }
        guard let file = files.head(slot.name) else {
            drop(id)
            return nil
        }
        state.withLock { $0.remember(file, of: id) }
        return CacheEntry(id, file, hits: slot.hits ?? file.hits)
    }

    private func writeUsesLater() {
        sweeper.asyncAfter(deadline: .now() + Self.writeInterval) { [weak self] in self?.writeUses() }
    }

    /// Writes to disk how often and when entries were used.
    private func writeUses() {
        for slot in state.withLock({ $0.takeUsed() }) {
            CacheDirectory.write(hits: slot.hits ?? 0, lastUse: slot.lastUse, to: slot.name, in: files.folder)
        }
    }

    private func drop(_ id: CacheEntry.ID) {
        if let slot = state.withLock({ $0.table.remove(id) }) { remove([slot.name]) }
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
        sweep(state.withLock { $0.table.removeOldest(downTo: maximumSize).map(\.value.name) })
    }

    fileprivate func insert(
        _ name: CacheFileName,
        _ file: CacheFile,
        headSize: Int64,
        replacing replaced: [CacheEntry.ID]
    ) {
        let slot = Slot(name: name, hits: 0, lastUse: Date().timeIntervalSince1970, isVerified: true)
        let cost = Self.cost(headSize, file.bodySize)
        let old: [CacheFileName] = state.withLock { state in
            let old = replaced.compactMap { state.table.remove($0)?.name }
            state.table.insert(name.id, key: name.hash, cost: cost, slot)
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

extension Data {
    /// Returns the bytes at these positions from the start.
    func part(_ range: Range<Int64>) -> Data {
        subdata(in: startIndex + Int(range.lowerBound)..<startIndex + Int(range.upperBound))
    }
}

extension CacheFile {
    fileprivate func matches(_ body: Data) -> Bool {
        var checksum = CRC32()
        checksum.update(body)
        return checksum.value == bodyChecksum
    }
}
