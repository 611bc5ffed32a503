// swift-format-ignore-file
// The types are classes, as on Apple's platforms. scripts/check/apple replaces casts with the initializers and functions below, so
// that the compiler finds missing casts.
import Dispatch
import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFTypeID = UInt
public typealias CFIndex = Int

public final class CFData {
    public let bridged: Data
    public init(bridging data: Data) { bridged = data }
}
public final class CFString: ExpressibleByStringLiteral {
    public let bridged: String
    public init(bridging text: String) { bridged = text }
    public init(stringLiteral text: String) { bridged = text }
}
public final class CFArray {
    public let bridged: [Any]
    public init<Element>(bridging elements: [Element]) { bridged = elements }
}
public final class CFDictionary {
    public let bridged: [String: Any]
    public init(bridging values: [String: Any]) { bridged = values }
    public init(bridging values: [CFString: Any]) {
        bridged = Dictionary(uniqueKeysWithValues: values.map { ($0.bridged, $1) })
    }
}
public final class CFNumber {}
public final class CFBoolean {}
public final class CFError: Error {
    let code: CFIndex
    let text: String
    public init(code: CFIndex, text: String) { (self.code, self.text) = (code, text) }
}
public final class CFWriteStream { public init(bridging: OutputStream) {} }
public final class CFReadStream { public init(bridging: InputStream) {} }

extension CFString: Hashable {
    public static func == (first: CFString, second: CFString) -> Bool { first.bridged == second.bridged }
    public func hash(into hasher: inout Hasher) { hasher.combine(bridged) }
}

extension Data { public init(bridging data: CFData) { self = data.bridged } }
extension String {
    public init(bridging text: CFString) { self = text.bridged }
    public init(bridging text: CFString?) { self = text?.bridged ?? "" }
}
// These functions replace conditional casts.
public func bridge(_ array: CFArray?) -> Any? { array?.bridged }
public func bridge(_ dictionary: CFDictionary?) -> Any? { dictionary?.bridged }
public func bridge(_ value: Any?) -> Any? { value }

/// A class with a type identifier.
public protocol IdentifiedType: AnyObject { static var typeID: CFTypeID { get } }

public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID { (cf as? any IdentifiedType).map { type(of: $0).typeID } ?? 0 }
public func CFBooleanGetTypeID() -> CFTypeID { fatalError() }
public func CFNumberGetTypeID() -> CFTypeID { fatalError() }
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! { CFString(bridging: err.text) }
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { err.code }
public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream!, _ q: DispatchQueue!) { fatalError() }

public typealias CFStringEncoding = UInt32
public let kCFStringEncodingInvalidId: CFStringEncoding = 0xFFFF_FFFF
public func CFStringConvertIANACharSetNameToEncoding(_ name: CFString!) -> CFStringEncoding { fatalError() }
public func CFStringConvertEncodingToNSStringEncoding(_ encoding: CFStringEncoding) -> UInt { fatalError() }
