// swift-format-ignore-file
// scripts/check/apple replaces calls of C functions with calls of these functions. The prefix is needed, because a function does not
// hide a function of the same name in another module.
@_exported import DarwinTypes

public func darwin_stat(_ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<stat>!) -> Int32 { fatalError() }
public func darwin_lstat(_ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<stat>!) -> Int32 { fatalError() }
public func darwin_fstat(_ descriptor: Int32, _ status: UnsafeMutablePointer<stat>!) -> Int32 { fatalError() }
@discardableResult
public func darwin_mkdir(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { fatalError() }
@discardableResult
public func darwin_mkfifo(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { fatalError() }
@discardableResult
public func darwin_chmod(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { fatalError() }
@discardableResult
public func darwin_fchmod(_ descriptor: Int32, _ mode: mode_t) -> Int32 { fatalError() }
@discardableResult
public func darwin_umask(_ mode: mode_t) -> mode_t { fatalError() }
@discardableResult
public func darwin_lseek(_ descriptor: Int32, _ offset: off_t, _ whence: Int32) -> off_t { fatalError() }
@discardableResult
public func darwin_ftruncate(_ descriptor: Int32, _ length: off_t) -> Int32 { fatalError() }
@discardableResult
public func darwin_truncate(_ path: UnsafePointer<CChar>!, _ length: off_t) -> Int32 { fatalError() }
@discardableResult
public func darwin_pread(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t) -> Int {
    fatalError()
}
@discardableResult
public func darwin_pwrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer!, _ count: Int, _ offset: off_t) -> Int {
    fatalError()
}
@discardableResult
public func darwin_getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> Int32 { fatalError() }
@discardableResult
public func darwin_setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32 { fatalError() }
@discardableResult
public func darwin_getrusage(_ who: Int32, _ usage: UnsafeMutablePointer<rusage>!) -> Int32 { fatalError() }
@discardableResult
public func darwin_pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>!,
    _ attributes: UnsafePointer<pthread_attr_t>?,
    _ body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }
public func darwin_open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }
public func darwin_open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { fatalError() }

public var F_BARRIERFSYNC: Int32 { 85 }
public var F_FULLFSYNC: Int32 { 51 }
public var RENAME_EXCL: Int32 { 4 }
public func renamex_np(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!, _ flags: UInt32) -> Int32 { fatalError() }
