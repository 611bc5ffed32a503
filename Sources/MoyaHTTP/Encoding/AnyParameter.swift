import Foundation

/// What a parameter of any type is underneath.
enum AnyParameter {
    /// The value inside optionals and `AnyHashable`s, which would print as `Optional(…)` or hide what they hold.
    static func unwrapped(_ value: Any) -> Any? {
        if type(of: value) == AnyHashable.self, let base = (value as? AnyHashable)?.base { return unwrapped(base) }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }

    /// A Swift `Bool`, or a number that was made from one. `1` is not a Boolean.
    static func boolean(_ value: Any) -> Bool? {
        if type(of: value) == Bool.self { return value as? Bool }
        guard type(of: value) is NSNumber.Type, let number = value as? NSNumber else { return nil }
        #if canImport(Darwin)
            return CFGetTypeID(number) == CFBooleanGetTypeID() ? number.boolValue : nil
        #else
            return String(cString: number.objCType) == "c" ? number.boolValue : nil
        #endif
    }
}
