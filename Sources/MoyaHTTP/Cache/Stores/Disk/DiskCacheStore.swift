import Foundation
import HTTPTypes

/// A store of cached responses in a directory, which keeps the most recently used ones.
///
/// An entry consists of two files, for the response's head and its body. They are written under temporary names and then renamed,
/// the head last. So a process that is killed leaves complete entries, and temporary files and bodies without heads, which the next
/// process removes. An entry with a damaged file is removed when it is read. An entry whose files cannot be opened, for example
/// because too many files are open, is kept.
///
/// Opening a directory does not wait for its content: the entries of a key are looked up on demand, and the others are read in the
/// background. ``size``, ``allEntries()`` and ``removeAll()`` wait for the end of the reading. Only then does the store remove the
/// least recently used entries.
///
/// If the disk is full, the least recently used entries are removed, and a response is not stored if that is not enough.
///
/// Only one store at a time can use a directory; it keeps a file in the directory locked. iOS ends an application that is suspended
/// while it has locked a file in the shared container of an app group (`0xdead10cc`): use a directory outside of it. On Apple's
/// platforms the entries are excluded from backups.
///
/// Only the owner can read the files. They contain the bodies and fields of responses, including cookies, without encryption.
public final class DiskCacheStore: CacheStore {
    /// The directory.
    public let directory: URL
    /// The number of bytes that the entries may occupy.
    public let maximumSize: Int64

    let files: DiskCacheFiles
    private let lock: DiskCacheDirectoryLock
    private let index = Locked(DiskCacheIndex())
    /// Held while the head of an entry is replaced on disk and then in memory, so that both have the same one: during the writing
    /// of a file.
    private let updating = Locked(())
    private let scan: DiskCacheScan
    /// The queue that removes files and records uses on disk.
    private let queue = DispatchQueue(label: "moya.cache", qos: .utility)

    /// Opens a directory, creating it if necessary, and begins to read it in the background.
    ///
    /// - Parameters:
    ///   - directory: The directory. The store uses the folder `v1` and the file `lock` in it, and leaves other files alone.
    ///   - maximumSize: The number of bytes that the entries may occupy, heads included. A response that needs more than half of it
    ///     is not stored.
    /// - Throws: ``CacheStoreError``.
    public convenience init(directory: URL, maximumSize: Int64 = 100 << 20) throws(CacheStoreError) {
        try self.init(directory: directory, maximumSize: maximumSize, calls: FileCalls.Replaceable())
    }

    /// Opens a directory.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - maximumSize: The number of bytes that the entries may occupy.
    ///   - calls: The system calls.
    ///   - scanQueue: The serial queue that reads the directory.
    /// - Throws: ``CacheStoreError``.
    init(
        directory: URL,
        maximumSize: Int64 = 100 << 20,
        calls: FileCalls.Replaceable,
        scanningOn scanQueue: DispatchQueue = DispatchQueue(label: "moya.cache.scan", qos: .utility)
    ) throws(CacheStoreError) {
        self.directory = directory
        self.maximumSize = max(0, maximumSize)
        files = DiskCacheFiles(in: directory, calls: calls)
        try DiskCacheDirectory.prepare(directory, folder: files.folder)
        lock = try DiskCacheDirectoryLock(directory)
        scan = DiskCacheScan(files, into: index, maximumSize: self.maximumSize, on: scanQueue)
        scan.start()
    }

    deinit {
        // The scan must stop before the directory is unlocked.
        scan.stop()
        writeUses()
    }

    /// The number of shards that have been read.
    var readShardCount: Int { scan.readCount }

    /// Returns the entries of a directory without opening it, even while another process uses it.
    package static func list(directory: URL) throws(CacheStoreError) -> [(entry: CacheEntry, lastUse: Double)] {
        let files = DiskCacheFiles(in: directory)
        var listed: [(CacheEntry, Double)] = []
        for found in try files.findEntries() {
            guard let headFile = try files.readHead(of: found.name) else { continue }
            listed.append((CacheEntry(found.name.id, headFile, useCount: headFile.useCount), found.lastUse))
        }
        return listed
    }

    // MARK: CacheStore

    /// Returns the entries for a key.
    public func entries(for key: CacheKey) async throws -> [CacheEntry] {
        let hash = DiskCacheEntryName.hash(of: key)
        try scan.load(DiskCacheShard(of: hash))
        let slots = index.withLock { index in index.table.ids(for: hash).compactMap { index.table[$0] } }
        var entries: [CacheEntry] = []
        var failure: CacheStoreError?
        for slot in slots {
            do {
                guard let headFile = try readHeadFile(orRemove: slot), headFile.key == key else { continue }
                entries.append(CacheEntry(slot.name.id, headFile, useCount: slot.useCount ?? headFile.useCount))
            } catch {
                failure = error
            }
        }
        // An entry that cannot be read now does not hide the others.
        if entries.isEmpty, let failure { throw failure }
        return entries
    }

    /// Returns the body of an entry.
    public func body(of entry: CacheEntry, range: Range<Int64>?) async throws -> TransportBody? {
        guard let slot = try slot(of: entry), let headFile = try readHeadFile(orRemove: slot) else { return nil }
        guard let file = try files.openBody(of: slot.name), file.size == headFile.bodySize else {
            removeEntry(entry.id)
            return nil
        }
        let range = range ?? 0..<file.size
        guard range.lowerBound >= 0, range.upperBound <= file.size else { return nil }
        let body: TransportBody
        if file.size <= Self.maximumBodyReadAtOnce {
            // A small body is read whole, so each use checks it.
            guard let data = try file.read(0..<file.size), headFile.hasChecksum(of: data) else {
                removeEntry(entry.id)
                return nil
            }
            body = .complete(range.count == data.count ? data : data.bytes(in: range))
        } else {
            // The check of a large body reads the whole file, so only the first use performs it. Most damage is older than this
            // process: a power failure has cut off a write.
            if !slot.isVerified {
                guard try await file.checksum() == headFile.bodyChecksum else {
                    removeEntry(entry.id)
                    return nil
                }
                _ = index.withLock { $0.table.change(entry.id) { $0.isVerified = true } }
            }
            body = .stream(file.stream(range))
        }
        let now = Date().timeIntervalSince1970
        if index.withLock({ $0.recordUse(of: entry.id, headFile, at: now) }) { writeUsesLater() }
        return body
    }

    /// Begins to store a response.
    public func write(
        _ head: CachedHead,
        for key: CacheKey,
        length: Int64?,
        replacing replaced: [CacheEntry.ID]
    ) async throws -> (any CacheWriter)? {
        guard fitsLimit(head, of: key, body: length ?? 0) else { return nil }
        let name = DiskCacheEntryName(
            hash: DiskCacheEntryName.hash(of: key),
            id: CacheEntry.ID(rawValue: UInt64.random(in: 1...UInt64.max))
        )
        // The shard is read first; otherwise the scan would remove the new files.
        try scan.load(DiskCacheShard(of: name.hash))
        let body = try retryingOnFullDisk(for: length ?? 0) { () throws(CacheStoreError) in
            try files.createBody(of: name)
        }
        return DiskCacheWriter(
            store: self,
            name: name,
            body: body,
            key: key,
            head: head,
            length: length,
            replaced: replaced
        )
    }

    /// Replaces the head of an entry.
    public func update(_ entry: CacheEntry, to head: CachedHead) async throws -> Bool {
        guard let slot = try slot(of: entry), var headFile = try readHeadFile(orRemove: slot) else { return false }
        headFile.head = head
        headFile.useCount = slot.useCount ?? headFile.useCount
        let changed = headFile
        let isFirstUnwritten: Bool? = try updating.withLock { _ in
            let size = try retryingOnFullDisk { () throws(CacheStoreError) in
                try files.writeHead(changed, of: slot.name)
            }
            return index.withLock { index in
                guard index.table[entry.id] != nil else { return nil }
                index.table.setCost(DiskCacheIndex.cost(head: size, body: changed.bodySize), of: entry.id)
                index.keepHead(changed, of: entry.id)
                // The new file has the time of the update, which is no use.
                return index.addUnwrittenUse(of: entry.id)
            }
        }
        guard let isFirstUnwritten else {
            // The entry was removed in the meantime, and the next process must not find it again.
            removeFiles(of: [slot.name])
            return false
        }
        if isFirstUnwritten { writeUsesLater() }
        evict()
        // The longer head may have made the entry itself exceed the limit.
        return index.withLock { $0.table[entry.id] != nil }
    }

    /// Removes an entry.
    public func remove(_ entry: CacheEntry) async throws {
        if let slot = try slot(of: entry) { removeEntry(slot.name.id) }
    }

    /// Removes all entries for a key.
    public func removeEntries(for key: CacheKey) async throws {
        let hash = DiskCacheEntryName.hash(of: key)
        try scan.load(DiskCacheShard(of: hash))
        // Heads that cannot be read now do not prevent the removal. Another key with the same hash is very unlikely.
        for id in index.withLock({ $0.table.ids(for: hash) }) { removeEntry(id) }
    }

    /// Removes all entries; throws an error if a part of the directory cannot be read, so that entries may remain.
    public func removeAll() async throws {
        let failure = await scan.wait()
        let names = index.withLock { index in
            let names = index.table.all.map(\.value.name)
            index.removeAll()
            return names
        }
        // The removal of many files takes long, and must not block the threads of tasks.
        await withCheckedContinuation { continuation in
            queue.async { [files] in
                for name in names { files.removeEntry(name) }
                continuation.resume()
            }
        }
        if let failure { throw failure }
    }

    /// Returns all entries, the least recently used first; throws an error if a part of the directory cannot be read.
    public func allEntries() async throws -> [CacheEntry] {
        if let failure = await scan.wait() { throw failure }
        let slots = index.withLock { index in index.table.all.map(\.value) }
        var entries: [CacheEntry] = []
        entries.reserveCapacity(slots.count)
        for start in stride(from: 0, to: slots.count, by: Self.listedAtOnce) {
            try Task.checkCancellation()
            let some = Array(slots[start..<min(start + Self.listedAtOnce, slots.count)])
            for (slot, result) in zip(some, await files.readHeads(of: some.map(\.name))) {
                if let headFile = try result.get() {
                    entries.append(CacheEntry(slot.name.id, headFile, useCount: slot.useCount ?? headFile.useCount))
                } else {
                    removeEntry(slot.name.id)
                }
            }
        }
        return entries
    }

    /// The number of bytes that the entries occupy.
    public var size: Int64 {
        get async {
            // The entries of a shard that cannot be read are not counted.
            _ = await scan.wait()
            return index.withLock { $0.table.size }
        }
    }

    // MARK: Entries

    /// The time after which the use of an entry is written to disk.
    private static let writeInterval = DispatchTimeInterval.seconds(5)
    /// The number of heads that are read between two checks for cancellation.
    private static let listedAtOnce = 4096
    /// The minimum number of bytes to remove if the disk is full.
    private static let minimumEviction: Int64 = 1 << 20
    /// The maximum size in bytes of a body that is read at once.
    private static let maximumBodyReadAtOnce: Int64 = 64 << 10

    /// Returns the slot of an entry; `nil` if the entry was removed.
    private func slot(of entry: CacheEntry) throws(CacheStoreError) -> DiskCacheIndex.Slot? {
        if let slot = index.withLock({ $0.table[entry.id] }) { return slot }
        // An earlier store of the directory may have returned the entry.
        try scan.load(DiskCacheShard(of: DiskCacheEntryName.hash(of: entry.key)))
        return index.withLock { $0.table[entry.id] }
    }

    /// Returns the head of an entry; if it is missing or damaged, removes the entry and returns `nil`.
    private func readHeadFile(orRemove slot: DiskCacheIndex.Slot) throws(CacheStoreError) -> DiskCacheHeadFile? {
        if let headFile = slot.headFile { return headFile }
        guard let headFile = try files.readHead(of: slot.name) else {
            removeEntry(slot.name.id)
            return nil
        }
        return index.withLock { index in
            // The head may have been replaced in the meantime.
            if let current = index.table[slot.name.id]?.headFile { return current }
            index.keepHead(headFile, of: slot.name.id)
            return headFile
        }
    }

    private func writeUsesLater() {
        queue.asyncAfter(deadline: .now() + Self.writeInterval) { [weak self] in self?.writeUses() }
    }

    /// Writes the number of uses and the time of the last use of entries to disk.
    private func writeUses() {
        for slot in index.withLock({ $0.takeUnwrittenUses() }) {
            files.writeUse(count: slot.useCount ?? 0, at: slot.lastUse, of: slot.name)
        }
    }

    /// Removes an entry from the index, and its files.
    private func removeEntry(_ id: CacheEntry.ID) {
        if let slot = index.withLock({ $0.table.remove(id) }) { removeFiles(of: [slot.name]) }
    }

    /// Removes the least recently used entries from the index, and their files later, if the store is too large.
    private func evict() {
        removeFilesLater(of: index.withLock { $0.removeOldest(downTo: maximumSize) } ?? [])
    }

    /// Removes the heads of entries that have left the index immediately, so that they are gone if the process is killed, and the
    /// bodies later.
    private func removeFiles(of names: [DiskCacheEntryName]) {
        for name in names { files.removeHead(of: name) }
        removeFilesLater(of: names)
    }

    private func removeFilesLater(of names: [DiskCacheEntryName]) {
        guard !names.isEmpty else { return }
        // The closure does not capture the store, whose directory would stay locked until the files are removed. The names are not
        // reused.
        queue.async { [files] in for name in names { files.removeEntry(name) } }
    }

    /// Returns whether an entry takes at most half of the store, which is the limit of each.
    func fitsLimit(_ head: CachedHead, of key: CacheKey, body: Int64) -> Bool {
        let limit = maximumSize / 2
        // The body is compared without rounding first, since a server may declare any length and rounding could overflow.
        guard body <= limit else { return false }
        // Most heads need not be measured, because the largest one fits, too.
        if DiskCacheIndex.cost(head: Int64(DiskCacheHeadFile.maximumSize), body: body) <= limit { return true }
        let headFile = DiskCacheHeadFile(key: key, head: head, bodySize: body, bodyChecksum: 0)
        return DiskCacheIndex.cost(head: Int64(headFile.bytes.count), body: body) <= limit
    }

    /// Performs an operation; if the disk is full, removes the least recently used entries and repeats the operation once.
    ///
    /// - Parameters:
    ///   - size: The number of bytes needed, if known.
    ///   - claimRemoval: Claims the removal of entries for the operation, and returns whether they may be removed.
    ///   - operation: The operation.
    ///   - undo: Undoes the failed operation.
    /// - Returns: The result of the operation.
    /// - Throws: The error of the operation.
    func retryingOnFullDisk<Result>(
        for size: Int64 = 0,
        claimingRemoval claimRemoval: () -> Bool = { true },
        _ operation: () throws(CacheStoreError) -> Result,
        undo: () throws(CacheStoreError) -> Void = {}
    ) throws(CacheStoreError) -> Result {
        do throws(CacheStoreError) {
            return try operation()
        } catch {
            guard error.isDiskFull, claimRemoval(), evictForFullDisk(needing: size) else { throw error }
            try undo()
            return try operation()
        }
    }

    /// Removes the least recently used entries because the disk is full; returns whether there were any.
    ///
    /// It removes at least a sixteenth of the store, so that not every response causes removals.
    private func evictForFullDisk(needing size: Int64) -> Bool {
        let removed = index.withLock { index in
            let needed = max(DiskCacheIndex.cost(head: 0, body: size), index.table.size / 16, Self.minimumEviction)
            return index.removeOldest(downTo: max(0, index.table.size - needed))
        }
        guard let removed, !removed.isEmpty else { return false }
        // The files are removed immediately, because their space is needed.
        for name in removed { files.removeEntry(name) }
        return true
    }

    /// Adds a written entry to the index, and removes the entries that it replaces.
    func insert(
        _ name: DiskCacheEntryName,
        _ headFile: DiskCacheHeadFile,
        headSize: Int64,
        replacing replaced: [CacheEntry.ID]
    ) {
        let slot = DiskCacheIndex.Slot(name: name, useCount: 0, lastUse: Date().timeIntervalSince1970, isVerified: true)
        let cost = DiskCacheIndex.cost(head: headSize, body: headFile.bodySize)
        let old: [DiskCacheEntryName] = index.withLock { index in
            let old = replaced.compactMap { index.table.remove($0)?.name }
            index.table.insert(name.id, key: name.hash, cost: cost, slot)
            index.keepHead(headFile, of: name.id)
            return old
        }
        removeFiles(of: old)
        evict()
    }
}

extension CacheEntry {
    fileprivate init(_ id: ID, _ headFile: DiskCacheHeadFile, useCount: Int) {
        self.init(id: id, key: headFile.key, head: headFile.head, bodySize: headFile.bodySize, useCount: useCount)
    }
}

extension DiskCacheHeadFile {
    fileprivate func hasChecksum(of body: Data) -> Bool {
        var checksum = CRC32()
        checksum.update(body)
        return checksum.value == bodyChecksum
    }
}
