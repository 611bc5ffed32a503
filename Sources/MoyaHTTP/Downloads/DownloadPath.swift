import Foundation

/// The destination of a download, split into folder and file name.
struct DownloadPath: Equatable, Sendable {
    let url: URL
    /// The absolute path of the folder.
    let folder: String
    /// The name of the file.
    let name: String

    var path: String { sibling(name) }

    /// Creates a path from a file URL.
    ///
    /// - Throws: ``DownloadError/invalidDestination(_:)`` or ``DownloadError/destinationIsFolder(_:)``.
    init(_ url: URL) throws(DownloadError) {
        let path = url.path(percentEncoded: false)
        // Bytes are compared, since in Swift a slash with a combining mark is a different character.
        let bytes = path.utf8
        guard url.isFileURL, ["", "localhost"].contains(url.host() ?? ""), bytes.first == Self.slash,
            !bytes.contains(0), let slash = bytes.lastIndex(of: Self.slash)
        else { throw .invalidDestination(url) }
        name = String(path[bytes.index(after: slash)...])
        folder = Self.folder(of: path)
        guard !name.isEmpty, name != ".", name != ".." else {
            let isFolder = folder != "/" && FileStatus.isFolder(path)
            throw isFolder ? .destinationIsFolder(url) : .invalidDestination(url)
        }
        self.url = url
    }

    /// Returns the path of another file in the folder.
    func sibling(_ name: String) -> String { folder == "/" ? "/" + name : "\(folder)/\(name)" }

    /// Checks whether a file may be moved to the destination, as far as it can be determined now.
    ///
    /// Blocks.
    ///
    /// - Throws: ``DownloadError``.
    func check(isReplacing: Bool) throws(DownloadError) {
        let present: FileStatus
        do throws(FileCalls.Failure) {
            present = try FileStatus(path: path)
        } catch {
            // The destination should not exist; a missing folder is detected when the partial file is opened.
            guard error.code == ENOENT else { throw DownloadError(errno: error.code, at: url) }
            return
        }
        if present.isFolder || present.isSymbolicLink && FileStatus.isFolder(path) { throw .destinationIsFolder(url) }
        guard isReplacing else { throw .fileExists(url) }
        // A device must not be replaced. A symbolic link may be, since its target is kept.
        guard present.isRegular || present.isSymbolicLink else { throw .invalidDestination(url) }
    }

    /// Creates the folder and its parent folders.
    ///
    /// Blocks.
    ///
    /// - Throws: ``DownloadError``.
    func makeFolder() throws(DownloadError) {
        var missing: [String] = []
        var path = folder
        while path != "/", isMissing(path) {
            missing.append(path)
            path = Self.folder(of: path)
        }
        for path in missing.reversed() where mkdir(path, 0o777) != 0 {
            let code = errno
            // Another process may have created it in the meantime.
            if code == EEXIST, FileStatus.isFolder(path) { continue }
            throw code == EEXIST ? .folderMissing(url) : DownloadError(errno: code, at: url)
        }
    }

    private func isMissing(_ path: String) -> Bool {
        do throws(FileCalls.Failure) {
            _ = try FileStatus(path: path, followingLinks: true)
            return false
        } catch {
            return error.code == ENOENT
        }
    }

    private static let slash = UInt8(ascii: "/")

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: slash), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
