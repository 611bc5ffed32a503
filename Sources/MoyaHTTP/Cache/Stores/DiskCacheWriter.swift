import Foundation

/// A writer of one entry of a ``DiskCacheStore``.
final class DiskCacheWriter: CacheWriter {
    private let store: DiskCacheStore
    private let name: CacheFileName
    private let key: CacheKey
    private let head: CachedResponse
    /// The length of the body in bytes, if it is known.
    private let length: Int64?
    private let replaced: [CacheEntry.ID]
    private let state: Locked<State>

    private struct State: Sendable {
        /// Whether entries were removed for this one because the disk was full.
        var hasMadeRoom = false
        /// The file of the body, until the writer has finished.
        var body: OpenCacheFile?
        var checksum = CRC32()
        var size: Int64 = 0
    }

    init(
        store: DiskCacheStore,
        name: CacheFileName,
        body: OpenCacheFile,
        key: CacheKey,
        head: CachedResponse,
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
        let (body, start): (OpenCacheFile?, Int64) = state.withLock { state in
            let start = state.size
            guard let body = state.body else { return (nil, start) }
            state.checksum.update(data)
            state.size += Int64(data.count)
            return (DiskCacheIndex.cost(head: 0, body: state.size) <= store.maximumSize / 2 ? body : nil, start)
        }
        guard let body else {
            await discard()
            return false
        }
        do {
            try withRoom(for: max(Int64(data.count), (length ?? 0) - start)) { () throws(CacheStoreError) in
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
        let headFile = CacheHeadFile(key: key, response: head, bodySize: size, bodyChecksum: checksum)
        do {
            // Some file systems report only here that the disk is full.
            try withRoom { () throws(CacheStoreError) in try body.rename(to: store.files.path(name, .body)) }
            let headSize = try withRoom { () throws(CacheStoreError) in try store.files.write(headFile, name) }
            store.insert(name, headFile, headSize: headSize, replacing: replaced)
        } catch {
            store.files.remove(name)
            throw error
        }
    }

    /// Performs an operation; if the disk is full, removes the least recently used entries and repeats the operation.
    ///
    /// It does so at most once for a response.
    private func withRoom<Result>(
        for size: Int64 = 0,
        _ body: () throws(CacheStoreError) -> Result,
        undo: () throws(CacheStoreError) -> Void = {}
    ) throws(CacheStoreError) -> Result {
        do throws(CacheStoreError) {
            return try body()
        } catch {
            let isFirst = state.withLock { state in
                defer { state.hasMadeRoom = true }
                return !state.hasMadeRoom
            }
            guard error.isDiskFull, isFirst, store.makeRoom(for: size) else { throw error }
            try undo()
            return try body()
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
