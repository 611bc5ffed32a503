import Foundation

/// A writer of one entry of a ``DiskCacheStore``.
final class DiskCacheWriter: CacheWriter {
    private let store: DiskCacheStore
    private let name: CacheFileName
    private let key: CacheKey
    private let response: CachedResponse
    /// The length of the body in bytes, if it is known.
    private let length: Int64?
    private let replaced: [CacheEntry.ID]
    private let state: Locked<State>

    private struct State: Sendable {
        /// Whether entries were removed for this one because the disk was full.
        var hasMadeRoom = false
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
        length: Int64?,
        replaced: [CacheEntry.ID]
    ) {
        self.length = length
        self.store = store
        self.name = name
        self.key = key
        self.response = response
        self.replaced = replaced
        state = Locked(State(file: file))
    }

    func append(_ data: Data) async throws -> Bool {
        let (file, start): (OpenCacheFile?, Int64) = state.withLock { state in
            let start = state.size
            guard let file = state.file else { return (nil, start) }
            state.checksum.update(data)
            state.size += Int64(data.count)
            return (DiskCacheIndex.cost(head: 0, body: state.size) <= store.maximumSize / 2 ? file : nil, start)
        }
        guard let file else {
            await discard()
            return false
        }
        do {
            try withRoom(for: max(Int64(data.count), (length ?? 0) - start)) { () throws(CacheStoreError) in
                try file.append(data)
            } undo: { () throws(CacheStoreError) in
                // Some of the data may have been written.
                try file.shorten(to: start)
            }
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
            // Some file systems report only here that the disk is full.
            try withRoom { () throws(CacheStoreError) in try open.rename(to: store.files.path(name, .body)) }
            let headSize = try withRoom { () throws(CacheStoreError) in try store.files.write(file, name) }
            store.insert(name, file, headSize: headSize, replacing: replaced)
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
        let file = state.withLock { state in
            defer { state.file = nil }
            return state.file
        }
        withExtendedLifetime(file) {}
    }
}
