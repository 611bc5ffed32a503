import Foundation

/// A writer of one entry of a ``DiskCacheStore``.
final class DiskCacheWriter: CacheWriter {
    private let store: DiskCacheStore
    private let name: DiskCacheEntryName
    private let key: CacheKey
    private let head: CachedHead
    /// The length of the body in bytes, if it is known.
    private let length: Int64?
    private let replaced: [CacheEntry.ID]
    private let state: Locked<State>

    private struct State: Sendable {
        var hasClaimedRemoval = false
        /// The file of the body, until the writer has finished.
        var body: DiskCacheFile?
        var checksum = CRC32()
        var size: Int64 = 0
    }

    init(
        store: DiskCacheStore,
        name: DiskCacheEntryName,
        body: DiskCacheFile,
        key: CacheKey,
        head: CachedHead,
        length: Int64?,
        replaced: [CacheEntry.ID]
    ) {
        self.length = length
        self.store = store
        self.name = name
        self.key = key
        self.head = head
        self.replaced = replaced
        state = Locked(State(body: body))
    }

    func append(_ data: Data) async throws -> Bool {
        let (body, start): (DiskCacheFile?, Int64) = state.withLock { state in
            state.checksum.update(data)
            defer { state.size += Int64(data.count) }
            return (state.body, state.size)
        }
        guard let body, store.fitsLimit(head, of: key, body: start + Int64(data.count)) else {
            await discard()
            return false
        }
        do {
            let needed = max(Int64(data.count), (length ?? 0) - start)
            try store.retryingOnFullDisk(for: needed, claimingRemoval: claimRemoval) { () throws(CacheStoreError) in
                try body.append(data)
            } undo: { () throws(CacheStoreError) in
                // Some of the data may have been written.
                try body.shorten(to: start)
            }
            return true
        } catch {
            await discard()
            throw error
        }
    }

    func finish() async throws {
        let (body, checksum, size) = state.withLock { state in
            defer { state.body = nil }
            return (state.body, state.checksum.value, state.size)
        }
        guard let body else { return }
        let headFile = DiskCacheHeadFile(key: key, head: head, bodySize: size, bodyChecksum: checksum)
        do {
            // Some file systems report only here that the disk is full.
            try store.retryingOnFullDisk(claimingRemoval: claimRemoval) { () throws(CacheStoreError) in
                try body.rename(to: store.files.path(name, .body))
            }
            let headSize = try store.retryingOnFullDisk(claimingRemoval: claimRemoval) { () throws(CacheStoreError) in
                try store.files.writeHead(headFile, of: name)
            }
            store.insert(name, headFile, headSize: headSize, replacing: replaced)
        } catch {
            store.files.removeEntry(name)
            throw error
        }
    }

    /// Returns whether entries may be removed because the disk is full: the first time only.
    private func claimRemoval() -> Bool {
        state.withLock { state in
            defer { state.hasClaimedRemoval = true }
            return !state.hasClaimedRemoval
        }
    }

    func discard() async {
        // The deinitialization of the file removes it.
        let body = state.withLock { state in
            defer { state.body = nil }
            return state.body
        }
        withExtendedLifetime(body) {}
    }
}
