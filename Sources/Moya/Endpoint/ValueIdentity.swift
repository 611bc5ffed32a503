import Foundation

/// The content of a value of any type, for comparison without regard to the order of elements in dictionaries and
/// sets.
///
/// The application's types are compared by their properties and not by `==`, which may ignore properties that are sent.
indirect enum ValueIdentity: Hashable, Sendable {
    case none
    /// A text, a number or a date, with a text that is unique among the values of its type.
    case text(type: ObjectIdentifier, String)
    case data(Data)
    case list([ValueIdentity])
    case dictionary([ValueIdentity: ValueIdentity])
    case set(Set<ValueIdentity>)
    /// A structure, a tuple or an enumeration's case, with its content.
    case members(type: ObjectIdentifier, names: [String], [ValueIdentity])
    /// An object, which is equal only to itself; the caller must keep the compared values alive.
    case object(ObjectIdentifier)
}

extension ValueIdentity {
    /// The maximum depth of nested values.
    private static let deepestLevel = 64

    /// Reads a value; `nil` if it has a part that cannot be read, such as a closure, or is nested too deeply.
    init?(_ value: Any, level: Int = 0) {
        guard level <= Self.deepestLevel else { return nil }
        guard let value = AnyParameter.unwrapped(value) else {
            self = .none
            return
        }
        let type = ObjectIdentifier(Swift.type(of: value))
        if let text = Self.text(of: value) {
            self = .text(type: type, text)
        } else if let data = value as? Data {
            self = .data(data)
        } else if let dictionary = value as? [AnyHashable: Any] {
            var pairs: [ValueIdentity: ValueIdentity] = [:]
            for (key, value) in dictionary {
                guard let key = Self(key.base, level: level + 1), let value = Self(value, level: level + 1) else {
                    return nil
                }
                pairs[key] = value
            }
            self = .dictionary(pairs)
        } else if let array = value as? [Any] {
            guard let elements = Self.all(array, level) else { return nil }
            self = .list(elements)
        } else if let set = value as? Set<AnyHashable> {
            guard let elements = Self.all(set.map(\.base), level) else { return nil }
            self = .set(Set(elements))
        } else {
            self.init(members: value, type, level)
        }
    }

    private init?(members value: Any, _ type: ObjectIdentifier, _ level: Int) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .class:
            self = .object(ObjectIdentifier(value as AnyObject))
        // A custom mirror may hide some of the value's properties.
        case .struct, .tuple, .enum:
            guard !(value is any CustomReflectable) else { return nil }
            if mirror.displayStyle == .enum, mirror.children.isEmpty {
                guard let name = Self.caseName(value) else { return nil }
                self = .text(type: type, name)
                return
            }
            guard let members = Self.all(mirror.children.map(\.value), level) else { return nil }
            self = .members(type: type, names: mirror.children.map { $0.label ?? "" }, members)
        default:
            return nil
        }
    }

    private static func all(_ values: [Any], _ level: Int) -> [ValueIdentity]? {
        var identities: [ValueIdentity] = []
        for value in values {
            guard let identity = ValueIdentity(value, level: level + 1) else { return nil }
            identities.append(identity)
        }
        return identities
    }

    private static func text(of value: Any) -> String? {
        // This check is the first one, because a number object casts to Swift's number types.
        if let number = AnyParameter.numberObject(value) {
            return "\(NumberKind(number).map { "\($0)" } ?? "") \(number)"
        }
        return switch value {
        case let text as String: text
        // Bit patterns are compared, because NaN does not equal itself.
        case let number as Double: "\(number.bitPattern)"
        case let number as Float: "\(number.bitPattern)"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate.bitPattern)"
        case let url as URL: url.absoluteString
        case is Bool, is any BinaryInteger, is Substring, is Character, is Decimal, is UUID: "\(value)"
        case let type as Any.Type: "\(ObjectIdentifier(type))"
        default: nil
        }
    }

    /// Returns the name of a case without payload; `nil` if the type describes itself, as two cases may have one
    /// description.
    private static func caseName(_ value: Any) -> String? {
        if let value = value as? any RawRepresentable { return Self(value.rawValue).map { "\($0)" } }
        return value is any CustomStringConvertible || value is any CustomDebugStringConvertible ? nil : "\(value)"
    }
}
