import Foundation
import MoyaJSON

/// A parameter of a declared endpoint, which is written in the same way at each place of a request: in the query, a form, a
/// header, the path, and a part.
///
/// Arrays, sets and dictionaries are written as their elements, and `nil` is omitted. An `Encodable` value encodes itself, so an
/// enumeration is written as its raw value; a `LosslessStringConvertible` value is written as its description. Other values are
/// written as their raw value. A value with only a `description` is an error, because that is a text for people.
/// ``URLEncodedFormEncoder`` writes the result, and determines the form of dates, `Data`, Booleans and names.
///
/// ``URLEncoding`` has other rules for the values of a dictionary: it writes an enumeration case as its name, like Alamofire.
package struct ParameterValue: Encodable, ParameterWriter, Sendable {
    /// The value.
    package let value: any Sendable

    /// Creates a parameter.
    package init(_ value: any Sendable) { self.value = value }

    /// Encodes the value.
    package func encode(to encoder: any Encoder) throws { try ParameterElement(value: value).encode(to: encoder) }
}

/// The value of a part: text, or a value that is the content of the part.
package enum ParameterLeaf<Kept: Sendable>: Sendable {
    case text(String)
    case kept(Kept)
}

/// The texts of a value at a place that has no names, such as a header.
package enum ParameterTexts: Equatable, Sendable {
    /// No value.
    case none
    case one(String)
    /// A list without `nil` elements.
    case list([String])
    /// Values with names, or lists of lists.
    case nested
}

extension ParameterValue {
    /// Returns the texts of the value.
    ///
    /// - Parameters:
    ///   - name: The parameter's name, for errors.
    ///   - style: The style for Booleans.
    /// - Returns: The texts.
    /// - Throws: ``URLEncodedFormEncoder/Error``, ``URLEncoding/Error``, or the error of the value's `encode(to:)`.
    package func texts(name: String, style: URLEncoding) throws -> ParameterTexts {
        try ParameterTexts(FormWriter(options: .init(style)).form(of: self, name: name))
    }

    /// Returns the value's pairs for the parts of a form.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - style: The style for Booleans and for the names of array elements.
    ///   - keep: Returns a value to use as the content of a part instead of its text; `nil` for other values.
    /// - Returns: The pairs.
    /// - Throws: ``URLEncodedFormEncoder/Error``, ``URLEncoding/Error``, or the error of the value's `encode(to:)`.
    package func leaves<Kept: Sendable>(
        name: String,
        style: URLEncoding,
        keep: @escaping (Any) -> Kept?
    ) throws -> [(name: String, leaf: ParameterLeaf<Kept>)] {
        let writer = FormWriter(options: .init(style))
        let form = try writer.form(of: self, name: name) { value in
            let value = (value as? any ParameterWrapper)?.wrapped ?? value
            return AnyParameter.unwrapped(value).flatMap(keep)
        }
        var leaves: [(name: String, leaf: ParameterLeaf<Kept>)] = []
        writer.write(form, name: name) { name, leaf in
            switch leaf {
            case .text(let text): leaves.append((name, .text(text)))
            case .kept(let value): if let kept = value as? Kept { leaves.append((name, .kept(kept))) }
            }
        }
        return leaves
    }
}

extension URLEncodedFormEncoder {
    /// Creates an encoder with the styles of an encoding.
    package init(_ style: URLEncoding) {
        self.init(arrayEncoding: style.arrayEncoding, boolEncoding: style.boolEncoding)
    }
}

extension ParameterTexts {
    init(_ value: FormValue) {
        switch value {
        case .nothing, .null, .kept: self = .none
        case .text(let text): self = .one(text)
        case .later(let encoder): self.init(encoder.value)
        case .tree(let tree) where tree.isNamed: self = .nested
        case .tree(let tree):
            let elements = tree.children.map(Self.init)
            let texts = elements.compactMap { if case .one(let text) = $0 { text } else { nil } }
            let isFlat = texts.count == elements.count { $0 != .none }
            self = isFlat ? .list(texts) : .nested
        }
    }
}

/// A value inside a ``ParameterValue``, which is written by the rules of ``ParameterValue``.
struct ParameterElement: Encodable, ParameterWriter {
    let value: Any

    func encode(to encoder: any Encoder) throws {
        switch AnyParameter.unwrapped(value) {
        case let list as any ParameterList:
            var container = encoder.unkeyedContainer()
            for element in list.elements { try container.encode(ParameterElement(value: element)) }
        case let dictionary as any ParameterDictionary:
            try encodeMembers(of: dictionary, to: encoder)
        case let value?:
            var container = encoder.singleValueContainer()
            if let text = Self.losslessText(value) {
                try container.encode(text)
            } else if let encodable = value as? any Encodable {
                try container.encode(encodable)
            } else if let raw = value as? any RawRepresentable {
                try container.encode(ParameterElement(value: raw.rawValue))
            } else if let boolean = AnyParameter.boolean(value) {
                try container.encode(boolean)
            } else if let text = Self.foundationText(value) {
                try container.encode(text)
            } else {
                throw Self.unsupported(value, at: encoder.codingPath)
            }
        case nil:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }

    /// Encodes the names and values of a value that has some into an encoder that may have others; they replace those with the same
    /// names.
    ///
    /// - Throws: ``URLEncoding/Error`` for a value without names; ``URLEncodedFormEncoder/Error``, or the error of `encode(to:)`.
    func encodeMembers(to encoder: any Encoder, parameter: String) throws {
        switch AnyParameter.unwrapped(value) {
        case nil: break
        case let dictionary as any ParameterDictionary: try encodeMembers(of: dictionary, to: encoder)
        case let value as any Encodable where !(value is any FormScalar || value is any ParameterList):
            // The value asks for the same container, to which it adds its properties.
            try value.encode(to: encoder)
        case let value?:
            throw URLEncoding.Error.unsupportedValue(name: parameter, type: "\(type(of: value))")
        }
    }

    private func encodeMembers(of dictionary: any ParameterDictionary, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: NameKey.self)
        for (key, value) in dictionary.members where AnyParameter.unwrapped(value) != nil {
            try container.encode(ParameterElement(value: value), forKey: Self.name(key, at: encoder.codingPath))
        }
    }

    /// Returns the description of a value whose type declares it as lossless; `nil` for other types, for raw values, and for
    /// numbers and Booleans, which the form encoder writes.
    private static func losslessText(_ value: Any) -> String? {
        guard let lossless = value as? any LosslessStringConvertible, !(value is any FormScalar),
            !(value is any RawRepresentable)
        else { return nil }
        return lossless.description
    }

    /// Returns the text of an `NSString` or `NSNumber`; `nil` for other values, whose descriptions are for people.
    private static func foundationText(_ value: Any) -> String? {
        let type = type(of: value)
        guard type is NSString.Type || type is NSNumber.Type else { return nil }
        return (value as? any CustomStringConvertible)?.description
    }

    /// Returns the name of a dictionary's value: the text of its key.
    private static func name(_ key: Any, at path: [any CodingKey]) throws -> NameKey {
        if let name = key as? String { return NameKey(stringValue: name) }
        let options = URLEncodedFormEncoder()
        let form = try FormWriter(options: options).form(of: ParameterElement(value: key), name: "")
        guard case .one(let text) = ParameterTexts(form) else { throw unsupported(key, at: path) }
        return NameKey(stringValue: text)
    }

    private static func unsupported(_ value: Any, at path: [any CodingKey]) -> URLEncoding.Error {
        .unsupportedValue(name: path.first?.stringValue ?? "", type: "\(type(of: value))")
    }
}

/// A type whose values are written by the rules of ``ParameterValue``, so that a value that would be lost is an error.
protocol ParameterWriter {}

/// A wrapper of a value that may not be `Encodable`.
protocol ParameterWrapper {
    var wrapped: Any { get }
}

extension ParameterValue: ParameterWrapper {
    var wrapped: Any { value }
}

extension ParameterElement: ParameterWrapper, FormUnordered {
    var wrapped: Any { value }
    var isUnordered: Bool { AnyParameter.unwrapped(value) is any FormUnordered }
}

extension ParameterValue: FormUnordered {
    var isUnordered: Bool { ParameterElement(value: value).isUnordered }
}

/// A collection without names, of any elements.
private protocol ParameterList {
    var elements: [Any] { get }
}

extension Array: ParameterList { fileprivate var elements: [Any] { self } }
extension ArraySlice: ParameterList { fileprivate var elements: [Any] { Array(self) } }
extension ContiguousArray: ParameterList { fileprivate var elements: [Any] { Array(self) } }
extension Set: ParameterList { fileprivate var elements: [Any] { Array(self) } }

/// A collection with names, of any keys and values.
private protocol ParameterDictionary {
    var members: [(key: Any, value: Any)] { get }
}

extension Dictionary: ParameterDictionary {
    fileprivate var members: [(key: Any, value: Any)] { map { ($0.key, $0.value) } }
}
