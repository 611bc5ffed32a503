/// The entries of a ``DiskCacheStore``, as far as they are in memory.
struct DiskCacheIndex: Sendable {
    /// The properties of an entry that are in memory.
    struct Slot: Sendable {
        let name: DiskCacheEntryName
        /// The number of uses; `nil` until the head has been read.
        var useCount: Int?
        /// The content of the head file, if it has been read.
        var headFile: DiskCacheHeadFile?
        /// The time of the last use, in seconds since 1970.
        var lastUse: Double
        /// Whether `useCount` and `lastUse` must be written to disk.
        var hasUnwrittenUse = false
        /// Whether the body needs no comparison with its checksum: it has been compared, or this process has written it.
        var isVerified = false
    }

    var table = CacheTable<UInt64, Slot>()
    /// The entries whose ``Slot/hasUnwrittenUse`` is true.
    private var idsWithUnwrittenUse: [CacheEntry.ID] = []
    /// The number of shards whose entries have been added.
    private(set) var shardCount = 0
    /// The number of shards whose entries are ordered by their use; `nil` before the end of the scan.
    var orderedShardCount: Int?
    /// The entries whose heads are in memory, and some that have been removed.
    private var idsWithHead: [CacheEntry.ID] = []

    /// Keeps a head in memory, in place of an earlier one of its entry, and drops those of the other entries if there are too many.
    mutating func keepHead(_ headFile: DiskCacheHeadFile, of id: CacheEntry.ID) {
        guard let slot = table[id] else { return }
        if slot.headFile == nil {
            if idsWithHead.count >= Self.maximumHeads {
                for id in idsWithHead { _ = table.change(id) { $0.headFile = nil } }
                idsWithHead = []
            }
            idsWithHead.append(id)
        }
        _ = table.change(id) { slot in
            slot.headFile = headFile
            if slot.useCount == nil { slot.useCount = headFile.useCount }
        }
    }

    /// Whether the known entries are ordered by their use, so that the least recently used ones can be removed.
    ///
    /// The entries of a shard that cannot be read are unknown. When it is read later, all entries are ordered again.
    var isOrdered: Bool { orderedShardCount == shardCount }

    /// Adds the entries of a shard that has been read.
    mutating func add(_ entries: [DiskCacheFiles.FoundEntry]) {
        shardCount += 1
        for found in entries where table[found.name.id] == nil {
            table.insert(
                found.name.id,
                key: found.name.hash,
                cost: Self.cost(head: found.headSize, body: found.bodySize),
                Slot(name: found.name, lastUse: found.lastUse)
            )
        }
    }

    /// Counts a use of an entry whose head has been read; returns whether it is the first use to be written.
    mutating func recordUse(of id: CacheEntry.ID, _ headFile: DiskCacheHeadFile, at now: Double) -> Bool {
        table.touch(id)
        _ = table.change(id) { slot in
            slot.useCount = (slot.useCount ?? headFile.useCount) + 1
            slot.lastUse = now
        }
        return addUnwrittenUse(of: id)
    }

    /// Adds an entry to those whose use must be written; returns whether it is the first one.
    mutating func addUnwrittenUse(of id: CacheEntry.ID) -> Bool {
        let canAdd = idsWithUnwrittenUse.count < Self.maximumUnwrittenUses
        let isNew = table.change(id) { slot in
            guard !slot.hasUnwrittenUse, canAdd else { return false }
            slot.hasUnwrittenUse = true
            return true
        }
        guard isNew == true else { return false }
        idsWithUnwrittenUse.append(id)
        return idsWithUnwrittenUse.count == 1
    }

    /// Takes the entries whose use must be written, the least recently used first.
    mutating func takeUnwrittenUses() -> [Slot] {
        let ids = idsWithUnwrittenUse
        idsWithUnwrittenUse = []
        let slots = ids.compactMap { id in
            table.change(id) { slot in
                slot.hasUnwrittenUse = false
                return slot
            }
        }
        return slots.sorted { $0.lastUse < $1.lastUse }
    }

    /// Removes the least recently used entries until the others occupy at most a size, and returns the removed ones; `nil` before
    /// the entries are ordered by their use.
    mutating func removeOldest(downTo maximumSize: Int64) -> [DiskCacheEntryName]? {
        isOrdered ? table.removeOldest(downTo: maximumSize).map(\.value.name) : nil
    }

    /// Removes all entries, after the directory has been read.
    mutating func removeAll() {
        table = CacheTable()
        (idsWithUnwrittenUse, idsWithHead) = ([], [])
    }

    /// The maximum number of heads in memory, which take a few kilobytes each.
    static let maximumHeads = 2000
    /// The maximum number of entries whose use is written at a time.
    ///
    /// The use of further entries is written after their next use.
    private static let maximumUnwrittenUses = 1000

    /// Returns the number of bytes that both files of an entry occupy on disk, in whole blocks.
    static func cost(head: Int64, body: Int64) -> Int64 {
        (max(1, head) + 4095) / 4096 * 4096 + (body / 4096 + (body % 4096 == 0 ? 0 : 1)) * 4096
    }
}
