import Foundation

/// The preparation of a cache's directory.
enum DiskCacheDirectory {
    /// Creates a directory and the folder in it that has the files of entries, and checks that they belong to the user.
    ///
    /// - Parameters:
    ///   - directory: The directory, which may hold other files of the application.
    ///   - folder: The path of the folder.
    ///   - kept: Marks the folder as internal.
    /// - Throws: ``CacheStoreError``.
    static func prepare(_ directory: URL, folder: String, kept: KeptFile = KeptFile()) throws(CacheStoreError) {
        // The path of a URL that is not a file URL would be used on this machine, too.
        guard directory.isFileURL else { throw .notADirectory(directory) }
        for path in [directory.path, folder] { try createFolder(at: path) }
        for path in [directory.path, folder] { try checkFolder(at: path) }
        chmod(folder, 0o700)
        // Files get the protection of their folder.
        kept.mark(folder)
    }

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
