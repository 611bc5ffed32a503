import Foundation

/// The status of a file.
package struct FileStatus: Equatable, Sendable {
    /// The identity of a file, independent of its names.
    package struct Identity: Equatable, Sendable {
        let device: UInt64
        let number: UInt64
    }

    package let identity: Identity
    package let length: Int64
    package let linkCount: UInt64
    package let owner: uid_t
    /// The time of the last change of the content, in seconds since 1970.
    package let modificationTime: Double
    private let format: mode_t

    package var isFolder: Bool { format == S_IFDIR }
    package var isSymbolicLink: Bool { format == S_IFLNK }
    package var isRegular: Bool { format == S_IFREG }

    /// Creates the status of a path; a symbolic link is not followed unless requested.
    package init(path: String, followingLinks: Bool = false) throws(FileCalls.Failure) {
        var status = stat()
        try FileCalls.repeating { followingLinks ? stat(path, &status) : lstat(path, &status) }
        self.init(status)
    }

    /// Creates the status of an open file.
    package init(descriptor: Int32) throws(FileCalls.Failure) {
        var status = stat()
        try FileCalls.repeating { fstat(descriptor, &status) }
        self.init(status)
    }

    /// Returns whether a path is a folder, or a link to one.
    package static func isFolder(_ path: String) -> Bool {
        (try? FileStatus(path: path, followingLinks: true))?.isFolder == true
    }

    private init(_ status: stat) {
        identity = Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
        length = Int64(status.st_size)
        linkCount = UInt64(status.st_nlink)
        owner = status.st_uid
        format = status.st_mode & S_IFMT
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        modificationTime = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
