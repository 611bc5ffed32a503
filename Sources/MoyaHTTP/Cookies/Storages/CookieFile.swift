import Foundation

/// The file of a cookie jar.
///
/// Its methods block.
struct CookieFile: Sendable {
    /// The maximum length of a valid file, which exceeds that of the largest jar.
    static let maximumLength = 128 << 20

    let url: URL
    private let path: String
    private let folder: String

    /// Creates a file in an existing folder.
    ///
    /// - Throws: ``CookieFileError/invalidLocation(_:)``.
    init(_ url: URL) throws(CookieFileError) {
        let path = url.absoluteURL.path(percentEncoded: false)
        guard url.isFileURL, path.utf8.first == UInt8(ascii: "/"), path.utf8.last != UInt8(ascii: "/"),
            !path.utf8.contains(0)
        else { throw .invalidLocation(url) }
        self.url = url
        self.path = path
        folder = url.absoluteURL.deletingLastPathComponent().path(percentEncoded: false)
        guard FileStatus.isFolder(folder) else { throw .invalidLocation(url) }
    }

    /// Returns the content of the file, or `nil` if it does not exist.
    func read() throws(CookieFileError) -> Data? {
        do throws(FileCalls.Failure) {
            // `O_NONBLOCK`, in case the file is a named pipe.
            let descriptor = try FileCalls.open(path, O_RDONLY | O_NONBLOCK)
            defer { close(descriptor) }
            let status = try FileStatus(descriptor: descriptor)
            guard status.isRegular else { throw FileCalls.Failure(code: status.isFolder ? EISDIR : EINVAL) }
            guard status.length <= Self.maximumLength else { throw FileCalls.Failure(code: EFBIG) }
            return try Self.content(of: descriptor)
        } catch {
            if error.code == ENOENT { return nil }
            throw .couldNotRead(url, code: error.code)
        }
    }

    /// Writes a temporary file, flushes it to the disk, and replaces the file atomically.
    func write(_ data: Data) throws(CookieFileError) {
        do throws(FileCalls.Failure) {
            let (descriptor, temporary) = try openTemporary()
            // Closing the descriptor also releases the lock.
            defer { close(descriptor) }
            do throws(FileCalls.Failure) {
                try FileCalls.write(data, to: descriptor)
                try FileCalls.repeating { fsync(descriptor) }
                try FileCalls.flushOnClose(descriptor)
                try FileCalls.move(temporary, to: path, isReplacing: true)
            } catch {
                _ = unlink(temporary)
                throw error
            }
        } catch {
            throw .couldNotWrite(url, code: error.code)
        }
        // The directory is flushed, so that the new name survives a power failure. If that is not supported, the
        // old file may reappear.
        if let descriptor = try? FileCalls.open(folder, O_RDONLY | O_DIRECTORY) {
            _ = fsync(descriptor)
            close(descriptor)
        }
    }

    /// Renames the file to `<name>.damaged`, `<name>.damaged-2` and so on, whichever does not exist.
    func moveAside() throws(CookieFileError) {
        for number in 1...1000 {
            do throws(FileCalls.Failure) {
                try FileCalls.move(
                    path,
                    to: path + ".damaged" + (number == 1 ? "" : "-\(number)"),
                    isReplacing: false
                )
                return
            } catch {
                if error.code != EEXIST { throw .couldNotWrite(url, code: error.code) }
            }
        }
        throw .couldNotWrite(url, code: EEXIST)
    }

    /// Opens an empty temporary file in the same folder.
    ///
    /// Its name is always the same, so that a crash leaves at most one. If another writer uses it or it is not
    /// trusted, a unique name is used.
    private func openTemporary() throws(FileCalls.Failure) -> (descriptor: Int32, path: String) {
        let temporary = "\(folder)/\(PartFileName.resumable(for: url.lastPathComponent))"
        // Readable by the owner only, since cookies are credentials.
        let mode: mode_t = 0o600
        for _ in 0..<16 {
            // `O_NONBLOCK`, in case the file is a named pipe.
            guard let descriptor = try? FileCalls.open(temporary, O_WRONLY | O_CREAT | O_NONBLOCK, mode: mode) else {
                break
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, let status = try? FileStatus(descriptor: descriptor),
                status.isRegular, status.owner == geteuid(), status.linkCount <= 1, fchmod(descriptor, mode) == 0
            else {
                close(descriptor)
                break
            }
            // The previous owner of the lock may have renamed the file.
            if (try? FileStatus(path: temporary))?.identity == status.identity,
                (try? FileCalls.empty(descriptor)) != nil
            {
                return (descriptor, temporary)
            }
            close(descriptor)
        }
        let unique = "\(folder)/\(PartFileName.unique(for: url.lastPathComponent))"
        return (try FileCalls.open(unique, O_WRONLY | O_CREAT | O_EXCL, mode: mode), unique)
    }

    private static func content(of descriptor: Int32) throws(FileCalls.Failure) -> Data {
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while content.count <= maximumLength {
            let count = try FileCalls.repeating { Foundation.read(descriptor, &buffer, buffer.count) }
            guard count > 0 else { return content }
            content.append(contentsOf: buffer[..<count])
        }
        throw FileCalls.Failure(code: EFBIG)
    }
}
