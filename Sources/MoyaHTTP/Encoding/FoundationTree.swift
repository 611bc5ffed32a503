import Foundation

/// Rebuilds nested parameters from arrays, dictionaries by text and leaves alone, so that Foundation's serializers meet
/// nothing that makes them trap: collections that are too deep, optionals, types of Swift's own.
struct FoundationTree<Failure: Error> {
    /// What is thrown for more levels than ``AnyParameter/deepestLevel``.
    let tooDeep: Failure
    /// What a leaf becomes; it is given `nil` for `nil`.
    let leaf: (Any?, ParameterPath) throws(Failure) -> Any
    /// Looks at the key of a dictionary.
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

    /// Text and numbers of Swift's own as the types that Foundation knows.
    private static func usual(_ value: Any) -> Any {
        switch value {
        case let text as Substring: String(text)
        case let character as Character: String(character)
        case let number as CGFloat: Double(number)
        default: value
        }
    }
}
