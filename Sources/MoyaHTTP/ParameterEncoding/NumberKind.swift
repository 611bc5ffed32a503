import Foundation

/// The kind of a number object, from its class and its Objective-C type.
///
/// A cast does not determine the kind: on Apple's platforms a number object casts to `Bool`, `CGFloat` and each of Swift's number
/// types that can represent it, and on Linux to most of them.
package enum NumberKind: Equatable, Sendable {
    case boolean
    case signedInteger
    case unsignedInteger
    case float
    case double
    /// An `NSDecimalNumber`.
    case decimal

    /// Creates the kind of a number; `nil` for a type that number objects do not have.
    ///
    /// - Parameters:
    ///   - objCType: The first byte of `NSNumber.objCType`. It is the same for a Boolean and an 8-bit integer.
    ///   - isBoolean: Whether the number has the class of Booleans.
    ///   - isDecimal: Whether the number is an `NSDecimalNumber`, whose type is the same as for `double`.
    init?(objCType: UInt8, isBoolean: Bool, isDecimal: Bool) {
        if isBoolean {
            self = .boolean
        } else if isDecimal {
            self = .decimal
        } else {
            switch Character(UnicodeScalar(objCType)) {
            case "c", "s", "i", "l", "q": self = .signedInteger
            case "C", "S", "I", "L", "Q": self = .unsignedInteger
            case "f": self = .float
            case "d": self = .double
            // The type of `_Bool`, which Foundation does not use.
            case "B": self = .boolean
            default: return nil
            }
        }
    }

    /// Creates the kind of a number object.
    package init?(_ number: NSNumber) {
        let type = type(of: number)
        self.init(
            objCType: UInt8(bitPattern: number.objCType.pointee),
            isBoolean: ObjectIdentifier(type) == Self.booleanClass,
            isDecimal: type is NSDecimalNumber.Type
        )
    }

    // The class of Core Foundation's two Boolean objects: `NSNumber`, and parsers of JSON and property lists, create no others.
    private static let booleanClass = ObjectIdentifier(type(of: NSNumber(value: true)))
}
