import Foundation

/// A function that rebuilds nested parameters from arrays, dictionaries with string keys, and leaves.
///
/// Foundation's serializers trap on other input: collections that are nested too deeply, optionals, and Swift types
/// without a Foundation counterpart.
struct FoundationTree<Failure: Error> {
    /// The error for a depth of more than ``AnyParameter/deepestLevel``.
    let tooDeep: Failure
    /// Converts a leaf, which may be `nil`.
    let leaf: (Any?, ParameterPath) throws(Failure) -> Any
    /// Validates a dictionary key.
    let check: (String, ParameterPath) throws(Failure) -> Void
    private var path = ParameterPath()

    init(
        tooDeep: Failure,
        leaf: @escaping (Any?, ParameterPath) throws(Failure) -> Any,
        checkKey check: @escaping (String, ParameterPath) throws(Failure) -> Void = { _, _ in }
    ) {
        self.tooDeep = tooDeep
        self.leaf = leaf
        self.check = check
    }

    mutating func rebuilt(_ value: Any, level: Int = 0) throws(Failure) -> Any {
        guard level <= AnyParameter.deepestLevel else { throw tooDeep }
        guard let value = AnyParameter.unwrapped(value) else { return try leaf(nil, path) }
        if let dictionary = value as? [String: Any] {
            var result: [String: Any] = [:]
            for (key, element) in dictionary {
                path.append(key)
                try check(key, path)
                result[key] = try rebuilt(element, level: level + 1)
                path.removeLast()
            }
            return result
        }
        if let array = value as? [Any] {
            var result: [Any] = []
            for (index, element) in array.enumerated() {
                path.append(index)
                result.append(try rebuilt(element, level: level + 1))
                path.removeLast()
            }
            return result
        }
        return try leaf(Self.usual(value), path)
    }

    /// Converts Swift's text and number types to types that Foundation supports.
    private static func usual(_ value: Any) -> Any {
        switch value {
        case let text as Substring: String(text)
        case let character as Character: String(character)
        case let number as CGFloat: Double(number)
        default: value
        }
    }
}
