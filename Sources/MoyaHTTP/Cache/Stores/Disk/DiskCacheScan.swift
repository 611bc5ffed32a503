import Foundation

/// Reads the entries of a cache's directory shard by shard.
///
/// A shard is read when an entry in it is first needed, the others in the background. A shard that cannot be read now, for example
/// because too many files are open, is read when it is next needed.
///
/// The scan keeps no reference to the store, because the store unlocks the directory when it is released.
final class DiskCacheScan: Sendable {
    private let files: DiskCacheFiles
    private let index: Locked<DiskCacheIndex>
    private let maximumSize: Int64
    private let queue: DispatchQueue
    /// Whether each shard has been read.
    ///
    /// The lock of a shard is held while the shard is read, which takes milliseconds, and while its entries are added to the index.
    /// So each shard is read once, and none after ``stop()``.
    private let shards = DiskCacheShard.all.map { _ in Locked(false) }
    /// Held while files that belong to no shard, or to evicted entries, are removed, so that ``stop()`` waits for the removal.
    private let cleaning = Locked(())
    private let isStopped = Locked(false)

    /// Creates a scan.
    ///
    /// - Parameters:
    ///   - files: The files of the store.
    ///   - index: The index that gets the entries.
    ///   - maximumSize: The number of bytes that the entries may occupy after the scan.
    ///   - queue: The serial queue that reads the directory.
    init(_ files: DiskCacheFiles, into index: Locked<DiskCacheIndex>, maximumSize: Int64, on queue: DispatchQueue) {
        self.files = files
        self.index = index
        self.maximumSize = maximumSize
        self.queue = queue
    }

    /// The number of shards that have been read.
    var readCount: Int { shards.count { shard in shard.withLock { $0 } } }

    /// Begins to read all shards.
    func start() {
        queue.async { [self] in
            cleaning.withLock { _ in files.removeForeignFiles { isRunning } }
            _ = scan()
        }
    }

    /// Waits until the entries of all shards are known and ordered by their use.
    ///
    /// - Returns: The error of a shard that cannot be read, whose entries remain unknown.
    func wait() async -> CacheStoreError? {
        if index.withLock({ $0.isOrdered }), readCount == shards.count { return nil }
        return await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: scan()) }
        }
    }

    /// Reads a shard and removes other files from its folder, unless it has been read.
    ///
    /// It blocks for two system calls for each entry of the shard, usually some milliseconds.
    func load(_ shard: DiskCacheShard) throws(CacheStoreError) {
        let failure = shards[Int(shard.number)].withLock { isRead -> CacheStoreError? in
            guard !isRead, isRunning else { return nil }
            let contents: DiskCacheFiles.ShardContents
            do throws(CacheStoreError) { contents = try files.readContents(of: shard) } catch { return error }
            files.remove(paths: contents.otherPaths)
            let wasOrdered = index.withLock { index in
                defer { index.add(contents.entries) }
                return index.isOrdered
            }
            isRead = true
            // The earlier scan could not read the shard.
            if wasOrdered { queue.async { [self] in _ = scan() } }
            return nil
        }
        if let failure { throw failure }
    }

    /// Stops the scan and waits for the shard that is being read, so that another store can use the directory.
    func stop() {
        isStopped.withLock { $0 = true }
        for shard in shards { shard.withLock { _ in } }
        cleaning.withLock { _ in }
    }

    private var isRunning: Bool { !isStopped.withLock { $0 } }

    /// Reads the shards that have not been read, orders the entries, and then removes the least recently used ones if the store is
    /// too large.
    ///
    /// - Returns: The error of a shard that cannot be read.
    private func scan() -> CacheStoreError? {
        while true {
            var failure: CacheStoreError?
            for shard in DiskCacheShard.all {
                do { try load(shard) } catch { failure = error }
            }
            let shardCount = order()
            let removed: [DiskCacheEntryName]? = index.withLock { index in
                index.orderedShardCount = shardCount
                return index.removeOldest(downTo: maximumSize)
            }
            // A task has read another shard in the meantime.
            guard let removed else { continue }
            cleaning.withLock { _ in
                for name in removed where isRunning { files.removeEntry(name) }
            }
            return failure
        }
    }

    /// The number of entries that are ordered while the index is locked.
    private static let orderedAtOnce = 1000

    /// Orders the known entries by their use, and returns the number of their shards.
    ///
    /// Entries that have been used in the meantime are at the end already.
    private func order() -> Int {
        let (found, shardCount) = index.withLock { index in
            (index.isOrdered ? [] : index.table.all.map { (id: $0.id, lastUse: $0.value.lastUse) }, index.shardCount)
        }
        let sorted = found.sorted { $0.lastUse > $1.lastUse }
        for start in stride(from: 0, to: sorted.count, by: Self.orderedAtOnce) {
            let some = sorted[start..<min(start + Self.orderedAtOnce, sorted.count)]
            index.withLock { index in
                for (id, lastUse) in some where index.table[id]?.lastUse == lastUse { index.table.demote(id) }
            }
        }
        return shardCount
    }
}
