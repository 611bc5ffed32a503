import Foundation

/// An open file of a cache.
///
/// Deinitialization closes it, and removes a file that was created and not renamed.
final class DiskCacheFile: Sendable {
    private let descriptor: Int32
    private let path: String
    private let calls: FileCalls.Replaceable
    /// Whether the file is to be removed.
    private let isTemporary: Locked<Bool>
    /// The size when the file was opened.
    let size: Int64

    /// Opens a file; `nil` if it does not exist, or if something else, such as a symbolic link or a socket, is in its place.
    init?(reading path: String, _ calls: FileCalls.Replaceable) throws(CacheStoreError) {
        do {
            descriptor = try calls.open(path)
        } catch {
            guard [ENOENT, ENOTDIR, ELOOP, ENXIO].contains(error.code) else {
                throw CacheStoreError(path: path, code: error.code)
            }
            return nil
        }
        guard let status = try? FileStatus(descriptor: descriptor), status.isRegular else {
            close(descriptor)
            return nil
        }
        self.path = path
        self.calls = calls
        size = status.length
        isTemporary = Locked(false)
    }

    /// Creates a file that only its owner can read.
    init(creating path: String, _ calls: FileCalls.Replaceable) throws(CacheStoreError) {
        self.calls = calls
        do {
            descriptor = try calls.create(path)
        } catch {
            throw CacheStoreError(path: path, code: error.code)
        }
        self.path = path
        size = 0
        isTemporary = Locked(true)
    }

    deinit {
        close(descriptor)
        if isTemporary.withLock({ $0 }) { unlink(path) }
    }

    func append(_ data: Data) throws(CacheStoreError) {
        do { try calls.write(data, descriptor) } catch { throw CacheStoreError(path: path, code: error.code) }
    }

    /// Removes the bytes after a position.
    func shorten(to length: Int64) throws(CacheStoreError) {
        do { try FileCalls.shorten(descriptor, to: length) } catch {
            throw CacheStoreError(path: path, code: error.code)
        }
    }

    func rename(to other: String) throws(CacheStoreError) {
        // Unlike `FileCalls.replace`, it does not flush the file to the disk, which takes long: after a power failure, the
        // checksums reveal an incomplete file, and the response is requested again.
        do {
            // Some file systems report write errors only when the file is closed.
            try FileCalls.flushOnClose(descriptor)
            try calls.move(path, other)
        } catch {
            throw CacheStoreError(path: path, code: error.code)
        }
        isTemporary.withLock { $0 = false }
    }

    /// Reads a range; `nil` if some of it is missing.
    func read(_ range: Range<Int64>) throws(CacheStoreError) -> Data? {
        var data = Data(count: range.count)
        var done = 0
        while done < range.count {
            let count: Int
            do {
                count = try FileCalls.repeating {
                    data.withUnsafeMutableBytes { bytes in
                        let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
                        return pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound) + off_t(done))
                    }
                }
            } catch {
                throw CacheStoreError(path: path, code: error.code)
            }
            guard count > 0 else { return nil }
            done += count
        }
        return data
    }

    /// The number of bytes that are read at once.
    private static let chunkSize: Int64 = 128 << 10

    // Reading a large body takes long, and must not block the threads of tasks. Writing, and reading a small body, block them
    // briefly.
    private static let queue = DispatchQueue(label: "moya.cache.read", qos: .userInitiated, attributes: .concurrent)

    private func readOnQueue(_ range: Range<Int64>) async throws -> Data? {
        try await withCheckedThrowingContinuation { continuation in
            Self.queue.async { continuation.resume(with: Result { try self.read(range) }) }
        }
    }

    /// Returns the CRC-32 of the whole file; `nil` if the file has become shorter.
    ///
    /// - Throws: `CancellationError`, or ``CacheStoreError``.
    func checksum() async throws -> UInt32? {
        var checksum = CRC32()
        var position: Int64 = 0
        while position < size {
            let end = min(size, position + Self.chunkSize)
            try Task.checkCancellation()
            guard let data = try await readOnQueue(position..<end) else { return nil }
            checksum.update(data)
            position = end
        }
        return checksum.value
    }

    /// Returns a range as a stream that keeps the file open.
    func stream(_ range: Range<Int64>) -> TransportBodyStream {
        let position = Locked(range.lowerBound)
        return TransportBodyStream {
            let start = position.withLock { $0 }
            guard start < range.upperBound else { return nil }
            try Task.checkCancellation()
            let end = min(range.upperBound, start + Self.chunkSize)
            var data: Data?
            var cause: (any Error)?
            do { data = try await self.readOnQueue(start..<end) } catch { cause = error }
            guard let data else {
                throw URLError.make(
                    .cannotOpenFile,
                    url: nil,
                    reason: "The file of a cached response could not be read to its end.",
                    cause: cause
                )
            }
            position.withLock { $0 = end }
            return data
        }
    }
}
