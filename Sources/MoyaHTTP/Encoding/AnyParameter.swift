import Foundation

/// Functions for parameters of any type.
package enum AnyParameter {
    /// The maximum nesting depth of arrays and dictionaries, as in Foundation's parsers for JSON and property
    /// lists.
    static let deepestLevel = 512

    /// Returns whether a value has one of the most common types.
    static func isUsual(_ value: Any) -> Bool {
        let type = type(of: value)
        return type == String.self || type == Int.self || type == Bool.self || type == Double.self
    }

    /// Returns the value inside optionals and `AnyHashable`, which have different descriptions.
    package static func unwrapped(_ value: Any) -> Any? {
        // Mirrors are slow.
        if isUsual(value) { return value }
        if type(of: value) == AnyHashable.self, let base = (value as? AnyHashable)?.base { return unwrapped(base) }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }

    /// Returns the value of a Swift `Bool`, or of a number created from one.
    ///
    /// The number 1 is not a Boolean.
    package static func boolean(_ value: Any) -> Bool? {
        if type(of: value) == Bool.self { return value as? Bool }
        guard type(of: value) is NSNumber.Type, let number = value as? NSNumber else { return nil }
        #if canImport(Darwin)
            return CFGetTypeID(number) == CFBooleanGetTypeID() ? number.boolValue : nil
        #else
            return String(cString: number.objCType) == "c" ? number.boolValue : nil
        #endif
    }

    /// Returns the text of a value that is not a collection.
    ///
    /// The descriptions of `Data` and `URL` may not include their content.
    static func text(_ value: Any) -> String {
        switch value {
        case let text as String: text
        case let data as Data: data.base64EncodedString()
        case let url as URL: url.absoluteString
        default: "\(value)"
        }
    }
}
