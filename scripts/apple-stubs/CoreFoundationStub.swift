// swift-format-ignore-file
// Classes, as on Apple's platforms: scripts/check-apple replaces casts by the initializers and functions below, so that a
// missing cast is found.
import Dispatch
import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFTypeID = UInt
public typealias CFIndex = Int

public final class CFData { public init(bridging: Data) {} }
public final class CFString: ExpressibleByStringLiteral {
    public init(bridging: String) {}
    public init(stringLiteral: String) {}
}
public final class CFArray { public init<Element>(bridging: [Element]) {} }
public final class CFDictionary {
    public init(bridging: [String: Any]) {}
    public init(bridging: [CFString: Any]) {}
}
public final class CFNumber {}
public final class CFBoolean {}
public final class CFError: Error {}
public final class CFWriteStream { public init(bridging: OutputStream) {} }
public final class CFReadStream { public init(bridging: InputStream) {} }

extension CFString: Hashable {
    public static func == (first: CFString, second: CFString) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
}

extension Data { public init(bridging: CFData) { fatalError() } }
extension String {
    public init(bridging: CFString) { fatalError() }
    public init(bridging: CFString?) { fatalError() }
}
// For conditional casts.
public func bridge(_ array: CFArray?) -> Any? { fatalError() }
public func bridge(_ dictionary: CFDictionary?) -> Any? { fatalError() }
public func bridge(_ value: Any?) -> Any? { value }

public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID { fatalError() }
public func CFBooleanGetTypeID() -> CFTypeID { fatalError() }
public func CFNumberGetTypeID() -> CFTypeID { fatalError() }
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! { fatalError() }
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { fatalError() }
public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream!, _ q: DispatchQueue!) { fatalError() }

public typealias CFStringEncoding = UInt32
public let kCFStringEncodingInvalidId: CFStringEncoding = 0xFFFF_FFFF
public func CFStringConvertIANACharSetNameToEncoding(_ name: CFString!) -> CFStringEncoding { fatalError() }
public func CFStringConvertEncodingToNSStringEncoding(_ encoding: CFStringEncoding) -> UInt { fatalError() }
