import Foundation

/// A converter from parameters to pairs of name and value, which are not escaped.
struct ParameterPairs {
    let arrayEncoding: URLEncoding.ArrayEncoding
    let boolEncoding: URLEncoding.BoolEncoding

    /// Returns the pairs of all parameters, sorted by name.
    func pairs(_ parameters: [String: any Sendable]) throws -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            pairs += try self.pairs(name: name, value: value)
        }
        return pairs
    }

    /// Returns the pairs of a value with a name.
    ///
    /// The function uses an array instead of recursion, since threads have small stacks and parameters may be nested deeply.
    func pairs(name: String, value: Any) throws -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var pending: [(name: String, value: Any, level: Int)] = [(name, value, 0)]
        while let next = pending.popLast() {
            guard next.level <= AnyParameter.deepestLevel else { throw URLEncoding.Error.nestedTooDeeply }
            switch ParameterShape(of: next.value) {
            case .nothing:
                break
            case .leaf(let leaf):
                if let value = AnyParameter.encodable(leaf) {
                    try encode(value, name: next.name) { pairs.append(($0, $1)) }
                } else {
                    guard AnyParameter.isFinite(leaf) else { throw URLEncoding.Error.nonFiniteNumber(name: next.name) }
                    let text = AnyParameter.boolean(leaf).map(boolEncoding.text) ?? AnyParameter.text(leaf)
                    guard let text else {
                        throw URLEncoding.Error.unsupportedValue(name: next.name, type: "\(type(of: leaf))")
                    }
                    pairs.append((next.name, text))
                }
            case .list(let elements):
                for (index, element) in elements.enumerated().reversed() {
                    pending.append((arrayEncoding.name(for: next.name, at: index), element, next.level + 1))
                }
            case .named(let values):
                for (key, value) in values.reversed() {
                    pending.append(("\(next.name)[\(key)]", value, next.level + 1))
                }
            }
        }
        return pairs
    }

    /// Passes the pairs of a value that encodes itself to a function, as ``URLEncodedFormEncoder`` writes them.
    private func encode(_ value: any Encodable, name: String, _ append: (String, String) -> Void) throws {
        let writer = FormWriter(
            options: URLEncodedFormEncoder(arrayEncoding: arrayEncoding, boolEncoding: boolEncoding)
        )
        try writer.write(value, name: name, to: append)
    }
}

/// The path of a value in nested parameters, for errors: `user.scores[2]`.
struct ParameterPath: Sendable {
    enum Step: Sendable {
        case name(String)
        case index(Int)
    }

    private var steps: [Step] = []

    var isEmpty: Bool { steps.isEmpty }

    mutating func append(_ name: String) { steps.append(.name(name)) }
    mutating func append(_ index: Int) { steps.append(.index(index)) }
    mutating func removeLast() { steps.removeLast() }
    /// Prepends a step, for a path within a nested value.
    mutating func prepend(_ step: Step) { steps.insert(step, at: 0) }

    var text: String {
        guard !steps.isEmpty else { return "the top level" }
        return steps.enumerated().map { position, step in
            switch step {
            case .name(let name): position == 0 ? name : ".\(name)"
            case .index(let index): "[\(index)]"
            }
        }.joined()
    }
}

/// The structure of a parameter in a form: text, a list, a dictionary, or nothing.
enum ParameterShape {
    case nothing
    case leaf(Any)
    case list([Any])
    case named([(name: String, value: Any)])

    /// Creates the shape of any value.
    ///
    /// Unordered collections are sorted: dictionaries by name, sets by the text of their elements.
    init(of value: Any) {
        switch AnyParameter.unwrapped(value) {
        // `is NSNull` would bridge the whole tree of collections on Linux.
        case nil:
            self = .nothing
        case let value? where type(of: value) == NSNull.self:
            self = .nothing
        case let value? where Self.isPlain(value):
            self = .leaf(value)
        case let dictionary as [String: Any]:
            self = .named(dictionary.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
        case let array as [Any]:
            self = .list(array)
        case let dictionary as [AnyHashable: Any]:
            let named = dictionary.map { (name: Self.text($0.key), value: $0.value) }
            self = .named(named.sorted { $0.name < $1.name })
        case let set as Set<AnyHashable>:
            let elements = set.map { (text: Self.text($0), value: $0.base) }
            self = .list(elements.sorted { $0.text < $1.text }.map(\.value))
        case let value?:
            // Slices, `ContiguousArray` and `NSOrderedSet` do not match the cases above.
            let mirror = Mirror(reflecting: value)
            self = mirror.displayStyle == .collection ? .list(mirror.children.map(\.value)) : .leaf(value)
        }
    }

    private static func isPlain(_ value: Any) -> Bool {
        AnyParameter.isUsual(value) || type(of: value) == Data.self
    }

    private static func text(_ value: AnyHashable) -> String {
        AnyParameter.unwrapped(value).map { AnyParameter.text($0) ?? "\($0)" } ?? ""
    }
}

/// Functions for parameters of any type.
package enum AnyParameter {
    /// The maximum nesting depth of arrays and dictionaries, as in Foundation's parsers for JSON and property
    /// lists.
    static let deepestLevel = 512

    /// The description of an error for a greater depth.
    static let tooDeep = "The parameters are nested more than \(deepestLevel) levels deep: reduce the depth."

    /// Returns whether a value has one of the most common types.
    package static func isUsual(_ value: Any) -> Bool {
        let type = type(of: value)
        return type == String.self || type == Int.self || type == Bool.self || type == Double.self
    }

    /// Returns whether a value is finite; true for a value that is not a number.
    static func isFinite(_ value: Any) -> Bool {
        if isUsual(value) { return exact(value, as: Double.self)?.isFinite ?? true }
        if let number = numberObject(value) { return number.doubleValue.isFinite }
        if let number = exact(value, as: Decimal.self) { return number.isFinite }
        return (value as? any BinaryFloatingPoint)?.isFinite ?? true
    }

    /// Returns the value if its dynamic type is the given type.
    ///
    /// A cast alone also succeeds for a number object or another object of Foundation that is bridged to the type.
    package static func exact<Value>(_ value: Any, as type: Value.Type) -> Value? {
        Swift.type(of: value) == type ? value as? Value : nil
    }

    /// Returns a number object of Foundation; `nil` for Swift's numbers, which are bridged to one.
    package static func numberObject(_ value: Any) -> NSNumber? {
        type(of: value) is NSNumber.Type ? value as? NSNumber : nil
    }

    /// Returns the value inside optionals and `AnyHashable`, whose descriptions differ from the value's.
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
        if let boolean = exact(value, as: Bool.self) { return boolean }
        guard let number = numberObject(value), NumberKind(number) == .boolean else { return nil }
        return number.boolValue
    }

    /// Returns the value if its `encode(to:)` must write it: if it is a date, or if its type defines no description.
    ///
    /// An enumeration case without associated values is written as its name instead.
    static func encodable(_ value: Any) -> (any Encodable)? {
        if isUsual(value) { return nil }
        if let date = value as? Date { return date }
        guard !(value is any CustomStringConvertible), let encodable = value as? any Encodable else { return nil }
        return isPlainCase(value) ? nil : encodable
    }

    /// Returns whether a value is an enumeration case without associated values.
    static func isPlainCase(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
    }

    /// Returns the text of a value that is not a collection; `nil` for a value without text, such as a struct of the
    /// application, whose description is for debugging.
    ///
    /// The descriptions of `Data` and `URL` may not include their content.
    static func text(_ value: Any) -> String? {
        if let text = value as? String { return text }
        if let number = numberObject(value) { return number.description.withoutZeroFraction }
        return switch value {
        case let data as Data: data.base64EncodedString()
        case let url as URL: url.absoluteString
        case let number as any BinaryFloatingPoint: "\(number)".withoutZeroFraction
        case let value as any CustomStringConvertible: value.description
        default: isPlainCase(value) ? "\(value)" : nil
        }
    }
}

extension String {
    /// The description of a floating-point number for queries and forms, without the fraction of a whole number.
    ///
    /// Foundation on Apple's platforms describes the number 100 as `100`; Swift, and Foundation on Linux, describe it as `100.0`.
    var withoutZeroFraction: String { hasSuffix(".0") ? String(dropLast(2)) : self }
}

/// A converter that rebuilds nested parameters from arrays, dictionaries with string keys, and leaves.
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

    mutating func rebuild(_ value: Any, level: Int = 0) throws(Failure) -> Any {
        guard level <= AnyParameter.deepestLevel else { throw tooDeep }
        guard let value = AnyParameter.unwrapped(value) else { return try leaf(nil, path) }
        if let dictionary = value as? [String: Any] {
            var result: [String: Any] = [:]
            for (key, element) in dictionary {
                path.append(key)
                try check(key, path)
                result[key] = try rebuild(element, level: level + 1)
                path.removeLast()
            }
            return result
        }
        if let array = value as? [Any] {
            var result: [Any] = []
            for (index, element) in array.enumerated() {
                path.append(index)
                result.append(try rebuild(element, level: level + 1))
                path.removeLast()
            }
            return result
        }
        return try leaf(Self.usual(value), path)
    }

    /// Converts Swift's text and number types to types that Foundation supports.
    private static func usual(_ value: Any) -> Any {
        if let text = AnyParameter.exact(value, as: Substring.self) { return String(text) }
        if let character = AnyParameter.exact(value, as: Character.self) { return String(character) }
        if let number = AnyParameter.exact(value, as: CGFloat.self) { return Double(number) }
        return value
    }
}
