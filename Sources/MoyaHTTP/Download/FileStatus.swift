import Foundation

/// The status of a file.
struct FileStatus: Equatable, Sendable {
    /// The identity of a file, independent of its names.
    struct Identity: Equatable, Sendable {
        let device: UInt64
        let number: UInt64
    }

    let identity: Identity
    let length: Int64
    let linkCount: UInt64
    let owner: uid_t
    private let format: mode_t

    var isFolder: Bool { format == S_IFDIR }
    var isSymbolicLink: Bool { format == S_IFLNK }
    var isRegular: Bool { format == S_IFREG }

    /// Creates the status of a path; a symbolic link is not followed unless requested.
    init(path: String, followingLinks: Bool = false) throws(FileCalls.Failure) {
        var status = stat()
        try FileCalls.repeating { followingLinks ? stat(path, &status) : lstat(path, &status) }
        self.init(status)
    }

    /// Creates the status of an open file.
    init(descriptor: Int32) throws(FileCalls.Failure) {
        var status = stat()
        try FileCalls.repeating { fstat(descriptor, &status) }
        self.init(status)
    }

    /// Returns whether a path is a folder, or a link to one.
    static func isFolder(_ path: String) -> Bool {
        (try? FileStatus(path: path, followingLinks: true))?.isFolder == true
    }

    private init(_ status: stat) {
        identity = Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
        length = Int64(status.st_size)
        linkCount = UInt64(status.st_nlink)
        owner = status.st_uid
        format = status.st_mode & S_IFMT
    }
}
