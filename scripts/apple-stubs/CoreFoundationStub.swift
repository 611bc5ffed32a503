// swift-format-ignore-file
// What is bridged on Apple's platforms is the same type here.
import Dispatch
import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFTypeID = UInt
public typealias CFIndex = Int
public typealias CFData = Data
public typealias CFString = String
public typealias CFArray = [Any]
public typealias CFDictionary = [String: Any]
public typealias CFError = NSError
public typealias CFWriteStream = OutputStream

public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID { fatalError() }
public func CFBooleanGetTypeID() -> CFTypeID { fatalError() }
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! { fatalError() }
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { fatalError() }
public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream!, _ q: DispatchQueue!) { fatalError() }

public typealias CFStringEncoding = UInt32
public let kCFStringEncodingInvalidId: CFStringEncoding = 0xFFFF_FFFF
public func CFStringConvertIANACharSetNameToEncoding(_ name: CFString!) -> CFStringEncoding { fatalError() }
public func CFStringConvertEncodingToNSStringEncoding(_ encoding: CFStringEncoding) -> UInt { fatalError() }
