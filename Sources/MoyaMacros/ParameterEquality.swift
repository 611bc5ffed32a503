#if Macros
import Foundation
import MoyaHTTP

/// A comparison of parameters whose types a macro does not know.
enum ParameterEquality {
    /// Returns whether two values are known to be equal.
    static func areEqual<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
        // Optionals and collections of Equatable values are Equatable, too.
        if let type = Value.self as? any Equatable.Type { return type.compare(lhs, rhs) }
        switch (AnyParameter.unwrapped(lhs), AnyParameter.unwrapped(rhs)) {
        case (nil, nil): return true
        case (let lhs?, let rhs?): return areEqualValues(lhs, rhs)
        default: return false
        }
    }

    /// Compares the values of optionals and existentials.
    private static func areEqualValues(_ lhs: Any, _ rhs: Any) -> Bool {
        guard type(of: lhs) == type(of: rhs) else { return false }
        if let lhs = lhs as? any Equatable { return type(of: lhs).compare(lhs, rhs) }
        if let lhs = lhs as? [Any], let rhs = rhs as? [Any] {
            return lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { areEqual($0, $1) }
        }
        if let lhs = lhs as? [AnyHashable: Any], let rhs = rhs as? [AnyHashable: Any] {
            return lhs.count == rhs.count
                && lhs.allSatisfy { key, value in rhs[key].map { areEqual(value, $0) } ?? false }
        }
        guard let lhs = encoded(lhs), let rhs = encoded(rhs) else { return false }
        return lhs == rhs
    }

    /// Returns the exact encoding of a value; `nil` if it cannot be encoded.
    private static func encoded(_ value: Any) -> Data? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (value as? any Encodable).flatMap { try? encoder.encode($0) }
    }
}

extension Equatable {
    fileprivate static func compare(_ lhs: Any, _ rhs: Any) -> Bool {
        guard let lhs = lhs as? Self, let rhs = rhs as? Self else { return false }
        return lhs == rhs
    }
}
#endif
