import Foundation

/// The lock of a cache's directory, which one store at a time holds.
final class CacheDirectoryLock: Sendable {
    private let descriptor: Int32

    /// Creates and locks a directory.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - folder: The folder in it that has the files of entries.
    ///   - kept: Marks the folder as internal.
    /// - Throws: ``CacheStoreError``.
    init(_ directory: URL, folder: String, kept: KeptFile = KeptFile()) throws(CacheStoreError) {
        // The path of a URL that is not a file URL would be used on this machine, too.
        guard directory.isFileURL else { throw .notADirectory(directory) }
        for path in [directory.path, folder] { try Self.createFolder(at: path) }
        for path in [directory.path, folder] { try Self.checkFolder(at: path) }
        chmod(folder, 0o700)
        // Files get the protection of their folder. The directory itself may hold other files of the application.
        kept.mark(folder)
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

    private static func createFolder(at path: String) throws(CacheStoreError) {
        let failure: NSError
        do {
            return try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch { failure = error as NSError }
        // An existing file is checked later. Foundation does not report every errno.
        do { _ = try FileStatus(path: path) } catch {
            throw CacheStoreError(path: path, code: error.code == ENOENT ? failure.posixCode : error.code)
        }
    }

    private static func checkFolder(at path: String) throws(CacheStoreError) {
        let status: FileStatus
        do { status = try FileStatus(path: path) } catch { throw CacheStoreError(path: path, code: error.code) }
        guard status.isFolder else { throw .notADirectory(URL(fileURLWithPath: path)) }
        guard status.owner == geteuid() else { throw .notOwned(URL(fileURLWithPath: path)) }
    }
}

extension NSError {
    fileprivate var posixCode: Int32 {
        if domain == NSPOSIXErrorDomain { return Int32(code) }
        return (userInfo[NSUnderlyingErrorKey] as? NSError)?.posixCode ?? EIO
    }
}
