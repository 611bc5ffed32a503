import Foundation

/// The files of a ``DiskCacheStore``: those of each ``DiskCacheShard`` are in a folder.
struct DiskCacheFiles: Sendable {
    /// An entry in a directory.
    struct FoundEntry: Sendable {
        let name: DiskCacheEntryName
        let headSize: Int64
        let bodySize: Int64
        /// The time of the last use, in seconds since 1970.
        let lastUse: Double
    }

    /// The files in the folder of a shard.
    struct ShardContents {
        /// The entries, in any order.
        var entries: [FoundEntry] = []
        /// The paths of all other files, which a killed process has left, or which do not belong to a cache.
        var otherPaths: [String] = []
    }

    /// The folder with the shards; each version of the format has a folder.
    let folder: String
    private let calls: FileCalls.Replaceable

    /// Creates a value for the files in a directory, without opening it.
    init(in directory: URL, calls: FileCalls.Replaceable = FileCalls.Replaceable()) {
        folder = "\(directory.path)/v\(DiskCacheHeadFile.magic.last ?? 0)"
        self.calls = calls
    }

    /// Returns the path of a file of an entry.
    func path(_ name: DiskCacheEntryName, _ kind: DiskCacheEntryName.Kind) -> String { name.path(in: folder, kind) }

    // MARK: Folders

    /// Reads the names and sizes of the files of a shard.
    func readContents(of shard: DiskCacheShard) throws(CacheStoreError) -> ShardContents {
        let shardFolder = "\(folder)/\(shard.name)"
        let names: [String]
        do {
            names = try calls.names(shardFolder)
        } catch {
            switch error.code {
            case ENOENT: return ShardContents()
            // A file or a symbolic link is in place of the folder.
            case ENOTDIR, ELOOP: return ShardContents(otherPaths: [shardFolder])
            default: throw CacheStoreError(path: shardFolder, code: error.code)
            }
        }
        let bodies = Set(names.filter { $0.hasSuffix(DiskCacheEntryName.Kind.body.rawValue) })
        var contents = ShardContents()
        var otherNames = Set(names)
        for headName in names {
            guard let name = DiskCacheEntryName(head: headName), DiskCacheShard(of: name.hash) == shard,
                bodies.contains(name.fileName(.body)), let entry = try findEntry(name)
            else { continue }
            contents.entries.append(entry)
            otherNames.subtract([headName, name.fileName(.body)])
        }
        contents.otherPaths = otherNames.map { "\(shardFolder)/\($0)" }
        return contents
    }

    /// Reads the sizes and the times of an entry's files; `nil` if one of them does not exist any more.
    private func findEntry(_ name: DiskCacheEntryName) throws(CacheStoreError) -> FoundEntry? {
        guard let head = try status(name, .head), let body = try status(name, .body) else { return nil }
        return FoundEntry(name: name, headSize: head.length, bodySize: body.length, lastUse: head.modificationTime)
    }

    private func status(_ name: DiskCacheEntryName, _ kind: DiskCacheEntryName.Kind) throws(CacheStoreError)
        -> FileStatus?
    {
        let filePath = path(name, kind)
        do { return try FileStatus(path: filePath) } catch {
            guard error.code == ENOENT else { throw CacheStoreError(path: filePath, code: error.code) }
            return nil
        }
    }

    /// Finds the entries of all shards, the least recently used first.
    func findEntries() throws(CacheStoreError) -> [FoundEntry] {
        do { _ = try FileStatus(path: folder) } catch { throw CacheStoreError(path: folder, code: error.code) }
        var all: [FoundEntry] = []
        for shard in DiskCacheShard.all { all += try readContents(of: shard).entries }
        return all.sorted { $0.lastUse < $1.lastUse }
    }

    /// Removes files.
    func remove(paths: [String]) { for path in paths { unlink(path) } }

    /// Removes the files that belong to no shard, as long as a condition holds.
    func removeForeignFiles(while condition: () -> Bool) {
        let shards = Set(DiskCacheShard.all.map(\.name))
        for name in (try? calls.names(folder)) ?? [] where !shards.contains(name) {
            guard condition() else { return }
            unlink("\(folder)/\(name)")
        }
    }

    // MARK: Files

    // Listing many entries takes long, and must not block the threads of tasks. Reading one head blocks its task's thread briefly.
    private static let listing = DispatchQueue(label: "moya.cache.list", qos: .userInitiated)

    /// Reads head files as ``readHead(of:)`` does, several at a time.
    func readHeads(of names: [DiskCacheEntryName]) async -> [Result<DiskCacheHeadFile?, CacheStoreError>] {
        await withCheckedContinuation { continuation in
            Self.listing.async {
                let count = min(4, names.count)
                let results = Locked<[Int: [Result<DiskCacheHeadFile?, CacheStoreError>]]>([:])
                DispatchQueue.concurrentPerform(iterations: count) { number in
                    let range = names.count * number / count..<names.count * (number + 1) / count
                    let read = names[range].map { name in
                        Result { () throws(CacheStoreError) in try readHead(of: name) }
                    }
                    results.withLock { $0[number] = read }
                }
                let all = results.withLock { results in (0..<count).flatMap { results[$0] ?? [] } }
                continuation.resume(returning: all)
            }
        }
    }

    /// Reads a head file; `nil` if it does not exist or is damaged.
    func readHead(of name: DiskCacheEntryName) throws(CacheStoreError) -> DiskCacheHeadFile? {
        guard let file = try DiskCacheFile(reading: path(name, .head), calls),
            file.size <= DiskCacheHeadFile.maximumSize,
            let data = try file.read(0..<file.size)
        else { return nil }
        return DiskCacheHeadFile(Array(data))
    }

    /// Opens a body; `nil` if it does not exist.
    func openBody(of name: DiskCacheEntryName) throws(CacheStoreError) -> DiskCacheFile? {
        try DiskCacheFile(reading: path(name, .body), calls)
    }

    /// Creates the file of a body, under a temporary name.
    func createBody(of name: DiskCacheEntryName) throws(CacheStoreError) -> DiskCacheFile {
        let temporaryPath = path(name, .temporary)
        do throws(CacheStoreError) {
            return try DiskCacheFile(creating: temporaryPath, calls)
        } catch {
            // It is the first entry of its shard, or the folder has been removed.
            guard error.code == ENOENT else { throw error }
            let shardFolder = "\(folder)/\(DiskCacheShard(of: name.hash).name)"
            guard mkdir(shardFolder, 0o700) == 0 || errno == EEXIST else {
                throw CacheStoreError(path: shardFolder, code: errno)
            }
            return try DiskCacheFile(creating: temporaryPath, calls)
        }
    }

    /// Writes a head file, replacing an existing one, and returns its size.
    func writeHead(_ headFile: DiskCacheHeadFile, of name: DiskCacheEntryName) throws(CacheStoreError) -> Int64 {
        let bytes = headFile.bytes
        // The reader rejects larger files.
        guard bytes.count <= DiskCacheHeadFile.maximumSize else { throw .system(path: path(name, .head), code: EFBIG) }
        // Two heads of the same entry may be written at the same time.
        let suffix = ".\(UInt32.random(in: 0...UInt32.max))\(DiskCacheEntryName.Kind.temporary.rawValue)"
        let file = try DiskCacheFile(creating: path(name, .head) + suffix, calls)
        try file.append(Data(bytes))
        try file.rename(to: path(name, .head))
        return Int64(bytes.count)
    }

    /// Writes the number of uses of an entry and the time of the last use.
    ///
    /// Eight bytes are written in place, so that the head remains readable if the process is killed. Nothing happens if the entry
    /// has been removed.
    func writeUse(count: Int, at lastUse: Double, of name: DiskCacheEntryName) {
        guard let descriptor = try? FileCalls.open(path(name, .head), O_WRONLY | O_NONBLOCK) else { return }
        defer { close(descriptor) }
        let bytes = withUnsafeBytes(of: UInt64(clamping: count).littleEndian) { Array($0) }
        _ = pwrite(descriptor, bytes, bytes.count, DiskCacheHeadFile.useCountOffset)
        // The modification times determine the order of use.
        let seconds = lastUse.rounded(.down)
        let time = timespec(tv_sec: Int(clamping: Int64(seconds)), tv_nsec: Int((lastUse - seconds) * 1e9))
        futimens(descriptor, [time, time])
    }

    /// Removes an entry, the head first, since a body without a head is ignored.
    func removeEntry(_ name: DiskCacheEntryName) {
        removeHead(of: name)
        unlink(path(name, .body))
    }

    func removeHead(of name: DiskCacheEntryName) { unlink(path(name, .head)) }
}
