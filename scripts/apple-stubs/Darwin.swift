// swift-format-ignore-file
@_exported import Glibc
import Glibc

public let F_BARRIERFSYNC: Int32 = 85
public let F_FULLFSYNC: Int32 = 51
public let RENAME_EXCL: Int32 = 4
public func renamex_np(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!, _ flags: UInt32) -> Int32 { fatalError() }
