// swift-format-ignore-file
// These C types and constants have other widths than on Linux. A module that re-exports another module hides its types and variables
// of the same names, so that the compiler finds only these.
@_exported import Foundation
@_exported import FoundationNetworking

public typealias off_t = Int64
public typealias mode_t = UInt16
public typealias nlink_t = UInt16
public typealias dev_t = Int32
public typealias ino_t = UInt64
public typealias blkcnt_t = Int64
public typealias blksize_t = Int32
public typealias suseconds_t = Int32

public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

public struct stat {
    public var st_dev: dev_t = 0
    public var st_mode: mode_t = 0
    public var st_nlink: nlink_t = 0
    public var st_ino: ino_t = 0
    public var st_uid: uid_t = 0
    public var st_gid: gid_t = 0
    public var st_rdev: dev_t = 0
    public var st_atimespec = timespec()
    public var st_mtimespec = timespec()
    public var st_ctimespec = timespec()
    public var st_birthtimespec = timespec()
    public var st_size: off_t = 0
    public var st_blocks: blkcnt_t = 0
    public var st_blksize: blksize_t = 0
    public var st_flags: UInt32 = 0
    public var st_gen: UInt32 = 0
    public init() {}
}

public var S_IFMT: mode_t { 0o170000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFCHR: mode_t { 0o020000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFBLK: mode_t { 0o060000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var S_IFSOCK: mode_t { 0o140000 }

public var SOCK_STREAM: Int32 { 1 }
public var SOCK_DGRAM: Int32 { 2 }
public var IPPROTO_TCP: Int32 { 6 }
public var RLIMIT_FSIZE: Int32 { 1 }
public var RLIMIT_NOFILE: Int32 { 8 }
public var RUSAGE_SELF: Int32 { 0 }

// Darwin has no such constants.
@available(*, unavailable) public var MSG_NOSIGNAL: Int32 { 0 }
@available(*, unavailable) public var O_PATH: Int32 { 0 }
@available(*, unavailable) public var O_TMPFILE: Int32 { 0 }
@available(*, unavailable) public var SOCK_CLOEXEC: Int32 { 0 }
@available(*, unavailable) public var SOCK_NONBLOCK: Int32 { 0 }
@available(*, unavailable) public var RENAME_NOREPLACE: Int32 { 0 }
@available(*, unavailable) public var CLOCK_BOOTTIME: Int32 { 0 }
@available(*, unavailable) public var program_invocation_name: String { "" }
