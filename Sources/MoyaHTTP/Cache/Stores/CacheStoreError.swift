import Foundation

/// An error of a ``DiskCacheStore``.
///
/// Errors of system calls contain the path of the file or directory and the `errno`.
public enum CacheStoreError: Error, Equatable, Sendable {
    /// Another store, of this or another process, uses the directory.
    case inUse(URL)
    /// The URL is not a file URL, or the file is not a directory but, for example, a symbolic link.
    case notADirectory(URL)
    /// The directory belongs to another user.
    case notOwned(URL)
    /// The permissions do not allow the access (`EACCES`, `EPERM`).
    case notPermitted(path: String, code: Int32)
    /// The file system is read-only (`EROFS`).
    case readOnly(path: String, code: Int32)
    /// The disk is full, or the user's quota is exceeded (`ENOSPC`, `EDQUOT`).
    case diskFull(path: String, code: Int32)
    /// The process or the system has too many open files (`EMFILE`, `ENFILE`).
    case tooManyOpenFiles(path: String, code: Int32)
    /// A system call has failed with another `errno`.
    case system(path: String, code: Int32)

    /// The `errno` of the failed system call; `nil` if no system call has failed.
    public var code: Int32? {
        switch self {
        case .inUse, .notADirectory, .notOwned: nil
        case .notPermitted(_, let code), .readOnly(_, let code), .diskFull(_, let code), .tooManyOpenFiles(_, let code),
            .system(_, let code):
            code
        }
    }
}

extension CacheStoreError {
    /// Creates the error of a system call that has failed with an `errno`.
    init(path: String, code: Int32) {
        switch code {
        case EACCES, EPERM: self = .notPermitted(path: path, code: code)
        case EROFS: self = .readOnly(path: path, code: code)
        case ENOSPC, EDQUOT: self = .diskFull(path: path, code: code)
        case EMFILE, ENFILE: self = .tooManyOpenFiles(path: path, code: code)
        case ENOTDIR: self = .notADirectory(URL(fileURLWithPath: path))
        default: self = .system(path: path, code: code)
        }
    }

    var isDiskFull: Bool { if case .diskFull = self { true } else { false } }
}

extension CacheStoreError: MaskedError {
    /// A sentence with the path and the reason.
    public var errorDescription: String? {
        switch self {
        case .inUse(let url): "The cache in \(url.path) is in use: only one store can use it at a time."
        case .notADirectory(let url): "\(url.path) is not a directory, so that it cannot have a cache."
        case .notOwned(let url): "\(url.path) belongs to another user, so that it is not used for a cache."
        case .notPermitted(let path, _):
            "The cache cannot use \(path): its permissions, or those of its folder, do not allow it. Change them, or choose "
                + "another directory."
        case .readOnly(let path, _):
            "The cache cannot use \(path): the file system is read-only. Choose another directory."
        case .diskFull(let path, _): "The cache cannot write \(path): the disk is full. Free some space."
        case .tooManyOpenFiles(let path, let code):
            "The cache cannot open \(path): \(String(cString: strerror(code))). Close files, or raise the limit."
        case .system(let path, let code): "The cache file \(path) failed: \(String(cString: strerror(code)))."
        }
    }
}
