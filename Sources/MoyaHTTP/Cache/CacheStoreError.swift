import Foundation

/// An error of a ``DiskCacheStore``.
public enum CacheStoreError: Error, Equatable, Sendable {
    /// Another store, of this or another process, uses the directory.
    case inUse(URL)
    /// There is something else than a directory, a symbolic link for example, or it is no URL of a file.
    case notADirectory(URL)
    /// The directory belongs to another user.
    case notOwned(URL)
    /// A system call has failed with an `errno`.
    case system(path: String, code: Int32)
}

extension CacheStoreError: LocalizedError {
    /// A sentence with the path and the reason.
    public var errorDescription: String? {
        switch self {
        case .inUse(let url): "The cache in \(url.path) is in use: only one process can use it at a time."
        case .notADirectory(let url): "\(url.path) is not a directory, so that it cannot have a cache."
        case .notOwned(let url): "\(url.path) belongs to another user, so that it is not used for a cache."
        case .system(let path, let code): "The cache file \(path) failed: \(String(cString: strerror(code)))."
        }
    }
}
