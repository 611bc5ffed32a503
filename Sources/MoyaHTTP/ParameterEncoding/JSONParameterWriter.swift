#if !canImport(Darwin)
import Foundation
import MoyaJSON

/// A writer of parameters as JSON, which has the result of `JSONSerialization` on Linux and takes a fraction of its time.
///
/// It is not used on Apple's platforms, whose `JSONSerialization` writes numbers, layout and the order of keys differently.
struct JSONParameterWriter {
    private var output: JSONOutput
    private let options: JSONSerialization.WritingOptions

    private init(options: JSONSerialization.WritingOptions) {
        output = JSONOutput(options: options)
        self.options = options
    }

    /// Returns a value as JSON text.
    ///
    /// - Throws: ``JSONEncoding/Error/invalidJSONObject`` or ``JSONEncoding/Error/nestedTooDeeply``.
    static func data(_ value: Any, options: JSONSerialization.WritingOptions) throws -> Data {
        var writer = JSONParameterWriter(options: options)
        try writer.write(value, level: 0)
        return Data(writer.output.bytes)
    }

    private mutating func write(_ value: Any, level: Int) throws {
        guard level <= AnyParameter.deepestLevel else { throw JSONEncoding.Error.nestedTooDeeply }
        if try writeUsual(value, level: level) { return }
        if try writeUncommon(value) { return }
        guard let value = AnyParameter.unwrapped(value) else { return output.writeNull() }
        if try writeUsual(value, level: level) { return }
        if try writeUncommon(value) { return }
        if let dictionary = value as? [String: Any] {
            try write(members: dictionary, level: level)
        } else if let array = value as? [Any] {
            try write(elements: array, level: level)
        } else {
            try writeByFoundation(value)
        }
    }

    private mutating func write(members: [String: some Any], level: Int) throws {
        output.beginObject()
        if options.contains(.sortedKeys) {
            for name in members.keys.sorted(by: Self.isOrderedBefore) {
                try members[name].map { try write(member: name, $0, level: level) }
            }
        } else {
            for (name, value) in members { try write(member: name, value, level: level) }
        }
        output.endObject()
    }

    private mutating func write(member name: String, _ value: Any, level: Int) throws {
        output.beginMember(name)
        do {
            try write(value, level: level + 1)
        } catch let error as JSONEncoding.Error {
            throw error.inside(.name(name))
        }
    }

    private mutating func write(elements: [some Any], level: Int) throws {
        output.beginArray()
        for (index, element) in elements.enumerated() {
            output.beginElement()
            do {
                try write(element, level: level + 1)
            } catch let error as JSONEncoding.Error {
                throw error.inside(.index(index))
            }
        }
        output.endArray()
    }

    /// Returns whether a name precedes another one in the order of `JSONSerialization`.
    private static func isOrderedBefore(_ name: String, _ other: String) -> Bool {
        name.compare(
            other,
            options: [.numeric, .caseInsensitive, .forcedOrdering],
            range: name.startIndex..<name.endIndex,
            locale: NSLocale.system
        ) == .orderedAscending
    }

    // MARK: By type

    /// Writes a value of one of the most common types.
    ///
    /// - Returns: Whether the value has such a type.
    private mutating func writeUsual(_ value: Any, level: Int) throws -> Bool {
        if let value = exact(value, as: String.self) {
            output.write(value)
        } else if let value = exact(value, as: Int.self) {
            output.write(value)
        } else if let value = exact(value, as: Bool.self) {
            output.write(value)
        } else if let value = exact(value, as: Double.self) {
            try write(value)
        } else if let value = exact(value, as: [String: any Sendable].self) {
            try write(members: value, level: level)
        } else if let value = exact(value, as: [String: Any].self) {
            try write(members: value, level: level)
        } else if let value = exact(value, as: [String: String].self) {
            try write(members: value, level: level)
        } else if let value = exact(value, as: [any Sendable].self) {
            try write(elements: value, level: level)
        } else if let value = exact(value, as: [Any].self) {
            try write(elements: value, level: level)
        } else if let value = exact(value, as: [String].self) {
            try write(elements: value, level: level)
        } else if let value = exact(value, as: [Int].self) {
            try write(elements: value, level: level)
        } else {
            return false
        }
        return true
    }

    /// Writes null, or a value of a less common type of text or number.
    ///
    /// - Returns: Whether the value has such a type.
    private mutating func writeUncommon(_ value: Any) throws -> Bool {
        if type(of: value) == NSNull.self {
            output.writeNull()
        } else if let value = exact(value, as: Substring.self) {
            output.write(String(value))
        } else if let value = exact(value, as: Character.self) {
            output.write(String(value))
        } else if let value = exact(value, as: Float.self) {
            try write(value)
        } else if let value = exact(value, as: CGFloat.self) {
            try write(Double(value))
        } else if let value = exact(value, as: Int64.self) {
            output.write(value)
        } else if let value = exact(value, as: Int32.self) {
            output.write(value)
        } else if let value = exact(value, as: UInt.self) {
            output.write(value)
        } else if let value = exact(value, as: UInt64.self) {
            output.write(value)
        } else if let value = exact(value, as: UInt32.self) {
            output.write(value)
        } else if let value = AnyParameter.numberObject(value) {
            return try write(number: value)
        } else {
            return false
        }
        return true
    }

    /// Writes a number object of a type that Swift has.
    ///
    /// - Returns: Whether the number has such a type.
    private mutating func write(number: NSNumber) throws -> Bool {
        switch NumberKind(number) {
        case .boolean: output.write(number.boolValue)
        case .signedInteger: output.write(number.int64Value)
        case .double: try write(number.doubleValue)
        case .float: try write(number.floatValue)
        case .unsignedInteger, .decimal, nil: return false
        }
        return true
    }

    private mutating func write(_ number: some BinaryFloatingPoint & LosslessStringConvertible) throws {
        guard number.isFinite else { throw JSONEncoding.Error(unsupported: number) }
        output.write(number)
    }

    /// Writes a value of any other type as Foundation does.
    private mutating func writeByFoundation(_ value: Any) throws {
        // The value is in an array, since JSONSerialization validates only collections.
        guard JSONSerialization.isValidJSONObject([value]) else { throw JSONEncoding.Error(unsupported: value) }
        output.write(
            json: try JSONSerialization.data(withJSONObject: value, options: options.union(.fragmentsAllowed))
        )
    }

    private func exact<Value>(_ value: Any, as type: Value.Type) -> Value? {
        AnyParameter.exact(value, as: type)
    }
}
#endif
