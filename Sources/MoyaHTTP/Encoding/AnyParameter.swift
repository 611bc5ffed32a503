import Foundation

/// What a parameter of any type is underneath.
package enum AnyParameter {
    /// How many levels of arrays and dictionaries parameters may have, as in Foundation's readers of JSON and of
    /// property lists.
    static let deepestLevel = 512

    /// Whether a value is of one of the types that most parameters have.
    static func isUsual(_ value: Any) -> Bool {
        let type = type(of: value)
        return type == String.self || type == Int.self || type == Bool.self || type == Double.self
    }

    /// The value inside optionals and `AnyHashable`s, which would print as `Optional(…)` or hide what they hold.
    package static func unwrapped(_ value: Any) -> Any? {
        // A mirror is slow.
        if isUsual(value) { return value }
        if type(of: value) == AnyHashable.self, let base = (value as? AnyHashable)?.base { return unwrapped(base) }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }

    /// A Swift `Bool`, or a number that was made from one. `1` is not a Boolean.
    package static func boolean(_ value: Any) -> Bool? {
        if type(of: value) == Bool.self { return value as? Bool }
        guard type(of: value) is NSNumber.Type, let number = value as? NSNumber else { return nil }
        #if canImport(Darwin)
            return CFGetTypeID(number) == CFBooleanGetTypeID() ? number.boolValue : nil
        #else
            return String(cString: number.objCType) == "c" ? number.boolValue : nil
        #endif
    }

    /// The text of a value that is no collection. The descriptions of `Data` and `URL` do not always say what they hold.
    static func text(_ value: Any) -> String {
        switch value {
        case let text as String: text
        case let data as Data: data.base64EncodedString()
        case let url as URL: url.absoluteString
        default: "\(value)"
        }
    }
}
