import Foundation

/// A jar's file. What it does blocks.
struct CookieFile: Sendable {
    /// Longer ones are not ours: the largest jar is shorter.
    static let maximumLength = 128 << 20

    let url: URL
    private let path: String
    private let folder: String

    /// - Throws: ``CookieFileError/invalidLocation(_:)``
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

    /// What is in the file, or `nil` if there is none.
    func read() throws(CookieFileError) -> Data? {
        do throws(FileCalls.Failure) {
            // Without waiting, in case somebody has put a pipe there.
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

    /// Writes a new file beside the old one, has it brought to the disk, and puts it in the old one's place in one
    /// step.
    func write(_ data: Data) throws(CookieFileError) {
        do throws(FileCalls.Failure) {
            let (descriptor, temporary) = try openTemporary()
            // That unlocks it, too, under whatever name.
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
        // So that the new name survives a loss of power, too. Where folders cannot be flushed the old file may be back.
        if let descriptor = try? FileCalls.open(folder, O_RDONLY | O_DIRECTORY) {
            _ = fsync(descriptor)
            close(descriptor)
        }
    }

    /// Gives the file another name, `<name>.damaged` or `<name>.damaged-2` and so on, which nothing has yet.
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

    /// Opens an empty file beside the file. It is the same each time, so that a crash leaves one at most.
    ///
    /// If somebody else is writing that one, or it is not trusted, it is another one.
    private func openTemporary() throws(FileCalls.Failure) -> (descriptor: Int32, path: String) {
        let temporary = "\(folder)/\(PartFileName.resumable(for: url.lastPathComponent))"
        // Its owner's only: cookies are credentials.
        let mode: mode_t = 0o600
        for _ in 0..<16 {
            // Without waiting, in case somebody has put a pipe there.
            guard let descriptor = try? FileCalls.open(temporary, O_WRONLY | O_CREAT | O_NONBLOCK, mode: mode) else {
                break
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, let status = try? FileStatus(descriptor: descriptor),
                status.isRegular, status.owner == geteuid(), status.linkCount <= 1, fchmod(descriptor, mode) == 0
            else {
                close(descriptor)
                break
            }
            // Whoever had the lock before has given the file its final name.
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
