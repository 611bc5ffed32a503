import Foundation

/// The lock of a cache's directory, which one store at a time holds.
final class DiskCacheDirectoryLock: Sendable {
    private let descriptor: Int32

    /// Locks a directory.
    ///
    /// - Throws: ``CacheStoreError``.
    init(_ directory: URL) throws(CacheStoreError) {
        let path = directory.path + "/lock"
        do { descriptor = try FileCalls.open(path, O_RDWR | O_CREAT, mode: 0o600) } catch {
            throw CacheStoreError(path: path, code: error.code)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw code == EWOULDBLOCK ? .inUse(directory) : CacheStoreError(path: path, code: code)
        }
    }

    deinit { close(descriptor) }
}
