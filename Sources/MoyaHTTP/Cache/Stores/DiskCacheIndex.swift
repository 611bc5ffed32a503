/// The entries of a ``DiskCacheStore``, as far as they are in memory.
struct DiskCacheIndex: Sendable {
    /// The properties of an entry that are in memory.
    struct Slot: Sendable {
        let name: CacheFileName
        /// The number of uses; `nil` until the head has been read.
        ///
        /// A use before that counts as the first one.
        var hits: Int?
        /// The content of the head file, if it has been read.
        var headFile: CacheHeadFile?
        /// The time of the last use, in seconds since 1970.
        var lastUse: Double
        /// Whether `hits` and `lastUse` must be written to disk.
        var hasUnwrittenUse = false
        /// Whether the body has been compared with its checksum.
        var isVerified = false
    }

    var table = CacheTable<UInt64, Slot>()
    /// The entries whose ``Slot/hasUnwrittenUse`` is true.
    private(set) var idsWithUnwrittenUse: [CacheEntry.ID] = []
    /// Whether the scan has ended: the entries of all shards that could be read are known and ordered by their use.
    var isOrdered = false
    /// The entries whose heads are in memory.
    private var idsWithHead: [CacheEntry.ID] = []

    /// Keeps a head in memory, and drops the others if there are too many.
    mutating func keepHead(_ headFile: CacheHeadFile, of id: CacheEntry.ID) {
        if idsWithHead.count >= Self.maximumHeads {
            for id in idsWithHead { _ = table.change(id) { $0.headFile = nil } }
            idsWithHead = []
        }
        idsWithHead.append(id)
        _ = table.change(id) { slot in
            slot.headFile = headFile
            if slot.hits == nil { slot.hits = headFile.hits }
        }
    }

    /// Adds the entries of a shard that has been read.
    mutating func add(_ found: [CacheFiles.Found]) {
        for found in found where table[found.name.id] == nil {
            table.insert(
                found.name.id,
                key: found.name.hash,
                cost: Self.cost(head: found.headSize, body: found.bodySize),
                Slot(name: found.name, lastUse: found.lastUse)
            )
        }
    }

    /// Counts a use of an entry; returns `nil` if the entry has been removed.
    mutating func recordUse(of id: CacheEntry.ID, at now: Double) -> Slot? {
        table.touch(id)
        let canRecord = idsWithUnwrittenUse.count < Self.maximumUnwrittenUses
        var isNew = false
        let slot = table.change(id) { slot in
            slot.hits = (slot.hits ?? 0) + 1
            slot.lastUse = now
            isNew = !slot.hasUnwrittenUse && canRecord
            if isNew { slot.hasUnwrittenUse = true }
            return slot
        }
        if isNew { idsWithUnwrittenUse.append(id) }
        return slot
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

    /// Removes all entries, after the directory has been read.
    mutating func removeAll() {
        table = CacheTable()
        (idsWithUnwrittenUse, idsWithHead) = ([], [])
    }

    private static let maximumHeads = 2000
    /// The maximum number of entries whose use is written at a time.
    ///
    /// The use of further entries is written after their next use.
    private static let maximumUnwrittenUses = 1000

    /// Returns the number of bytes that both files of an entry occupy on disk, in whole blocks.
    static func cost(head: Int64, body: Int64) -> Int64 {
        (max(1, head) + 4095) / 4096 * 4096 + (body / 4096 + (body % 4096 == 0 ? 0 : 1)) * 4096
    }
}
