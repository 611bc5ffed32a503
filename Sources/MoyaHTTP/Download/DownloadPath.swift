import Foundation

/// A download's destination, taken apart and found to be a file in a folder.
struct DownloadPath: Equatable, Sendable {
    let url: URL
    /// The folder's path, absolute.
    let folder: String
    /// The file's name.
    let name: String

    var path: String { sibling(name) }

    /// - Throws: ``DownloadError/invalidDestination(_:)``, ``DownloadError/destinationIsFolder(_:)``
    init(_ url: URL) throws(DownloadError) {
        let path = url.path(percentEncoded: false)
        // Byte by byte, as the system does: to Swift a slash before a combining mark is another character.
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

    /// The path of another file in the folder.
    func sibling(_ name: String) -> String { folder == "/" ? "/" + name : "\(folder)/\(name)" }

    /// Whether a file may be put there, as far as one can tell before. Blocks.
    ///
    /// - Throws: ``DownloadError``
    func check(isReplacing: Bool) throws(DownloadError) {
        let present: FileStatus
        do throws(FileCalls.Failure) {
            present = try FileStatus(path: path)
        } catch {
            // Nothing there is what one hopes for; whether the folder is, shows when the part file is opened.
            guard error.code == ENOENT else { throw DownloadError(errno: error.code, at: url) }
            return
        }
        if present.isFolder || FileStatus.isFolder(path) { throw .destinationIsFolder(url) }
        guard isReplacing else { throw .fileExists(url) }
        // A device must not give way to a file. A symbolic link does: what it leads to stays.
        guard present.isRegular || present.isSymbolicLink else { throw .invalidDestination(url) }
    }

    /// Makes the folder, and those that lead to it. Blocks.
    ///
    /// - Throws: ``DownloadError``
    func makeFolder() throws(DownloadError) {
        var missing: [String] = []
        var path = folder
        while path != "/", isMissing(path) {
            missing.append(path)
            path = Self.folder(of: path)
        }
        for path in missing.reversed() where mkdir(path, 0o777) != 0 {
            let code = errno
            // Somebody else may be making it, too.
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
