import Foundation

/// Reads the entries of a cache's directory shard by shard.
///
/// A shard is read when an entry in it is first needed, the others in the background.
final class CacheScan: Sendable {
    private let files: CacheFiles
    private let state: Locked<DiskCacheIndex>
    /// Whether each shard has been read.
    ///
    /// The lock of a shard is held while the shard is read, which takes milliseconds, and while its entries are added to the state.
    /// So each shard is read once, and none after ``stop()``.
    private let shards = CacheShard.all.map { _ in Locked(false) }
    /// Held while files that belong to no shard, or to evicted entries, are removed, so that ``stop()`` waits for the removal.
    private let cleaning = Locked(())
    private let isStopped = Locked(false)
    private let waiters = Locked<[Promise<Void>]?>([])

    init(_ files: CacheFiles, into state: Locked<DiskCacheIndex>) {
        self.files = files
        self.state = state
    }

    /// The number of shards that have been read.
    var readCount: Int { shards.count { shard in shard.withLock { $0 } } }

    /// Reads all shards on a queue, and then removes the least recently used entries if the store is too large.
    ///
    /// It keeps no reference to the store, because the store unlocks the directory when it is released.
    func start(on queue: DispatchQueue, maximumSize: Int64) {
        queue.async { [self] in
            cleaning.withLock { _ in files.removeForeignFiles { isRunning } }
            for shard in CacheShard.all { load(shard) }
            order()
            let removed = state.withLock { state in
                state.isOrdered = true
                return state.table.removeOldest(downTo: maximumSize).map(\.value.name)
            }
            cleaning.withLock { _ in
                for name in removed where isRunning { files.remove(name) }
            }
            finish()
        }
    }

    /// Reads a shard, unless it has been read.
    ///
    /// It blocks for a few milliseconds at most.
    func load(_ shard: CacheShard) {
        shards[Int(shard.number)].withLock { isRead in
            // A shard that cannot be read now, for example because too many files are open, is read later.
            guard !isRead, isRunning, let found = files.read(shard) else { return }
            state.withLock { $0.add(found) }
            isRead = true
        }
    }

    /// Waits until the scan has ended: the entries of all shards that could be read are known and ordered by their use.
    func wait() async {
        let waiter = Promise<Void>()
        let isFinished = waiters.withLock { waiters in
            waiters?.append(waiter)
            return waiters == nil
        }
        if !isFinished { await waiter.wait() }
    }

    /// Stops the scan and waits for the shard that is being read, so that another store can use the directory.
    func stop() {
        isStopped.withLock { $0 = true }
        for shard in shards { shard.withLock { _ in } }
        cleaning.withLock { _ in }
    }

    private var isRunning: Bool { !isStopped.withLock { $0 } }

    private func finish() {
        let waiting = waiters.withLock { waiters in
            defer { waiters = nil }
            return waiters ?? []
        }
        for waiter in waiting { waiter.fulfill(()) }
    }

    /// The number of entries that are ordered while the state is locked.
    private static let orderedAtOnce = 1000

    /// Orders the entries by their use.
    ///
    /// Entries that have been used in the meantime are at the end already.
    private func order() {
        let found = state.withLock { state in state.table.all.map { (id: $0.id, lastUse: $0.value.lastUse) } }
        let sorted = found.sorted { $0.lastUse > $1.lastUse }
        for start in stride(from: 0, to: sorted.count, by: Self.orderedAtOnce) {
            let some = sorted[start..<min(start + Self.orderedAtOnce, sorted.count)]
            state.withLock { state in
                for (id, lastUse) in some where state.table[id]?.lastUse == lastUse { state.table.demote(id) }
            }
        }
    }
}
