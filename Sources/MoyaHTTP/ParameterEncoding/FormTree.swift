import Foundation
import MoyaJSON

/// The encoded form of a value: text, nothing, or a tree.
enum FormValue {
    /// Nothing was encoded.
    case nothing
    case null
    case text(String)
    /// A value that is not converted to text: see ``FormContext/keep``.
    case kept(any Sendable)
    case tree(FormTree)
    /// The encoder returned by `superEncoder()`, which has its value when the encoding is complete.
    case later(FormEncoder)
}

/// The value of a pair: text, or a value that was not converted to text.
enum FormLeaf {
    case text(String)
    case kept(any Sendable)
}

/// Values by name or in a list.
///
/// All containers that fill the tree share it.
final class FormTree {
    /// Whether the values have names.
    let isNamed: Bool
    private(set) var names: [String] = []
    private(set) var children: [FormValue] = []
    private var positions: [String: Int] = [:]

    init(isNamed: Bool) { self.isNamed = isNamed }

    /// The value for a key, if there is one.
    subscript(key: String) -> FormValue? { positions[key].map { children[$0] } }

    /// Sets the value for a key, which is written as `name`; an existing value is replaced.
    func set(_ value: FormValue, for key: String, name: String) {
        if let position = positions[key] {
            children[position] = value
        } else {
            positions[key] = children.count
            names.append(name)
            children.append(value)
        }
    }

    /// Appends a value to the list.
    func append(_ value: FormValue) { children.append(value) }

    /// Sorts the list by the written form of its elements.
    func sort(by writer: FormWriter) {
        let sorted = children.map { (child: $0, text: writer.text(of: $0)) }.sorted { $0.text < $1.text }
        children = sorted.map(\.child)
    }
}

/// A value whose encoded form is text without a container.
protocol FormScalar {
    func formText(boolEncoding: URLEncoding.BoolEncoding, at position: FormPosition) throws -> String
}

extension FormScalar {
    func formText(boolEncoding: URLEncoding.BoolEncoding, at position: FormPosition) -> String { "\(self)" }
}

extension String: FormScalar {}
extension Int: FormScalar {}
extension Int8: FormScalar {}
extension Int16: FormScalar {}
extension Int32: FormScalar {}
extension Int64: FormScalar {}
extension UInt: FormScalar {}
extension UInt8: FormScalar {}
extension UInt16: FormScalar {}
extension UInt32: FormScalar {}
extension UInt64: FormScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: FormScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: FormScalar {}

extension Bool: FormScalar {
    func formText(boolEncoding: URLEncoding.BoolEncoding, at position: FormPosition) -> String {
        boolEncoding.text(for: self)
    }
}

extension URL: FormScalar {
    func formText(boolEncoding: URLEncoding.BoolEncoding, at position: FormPosition) -> String { absoluteString }
}

extension Decimal: FormScalar {
    func formText(boolEncoding: URLEncoding.BoolEncoding, at position: FormPosition) throws -> String {
        guard isFinite else { throw URLEncodedFormEncoder.Error.nonFiniteNumber(path: position.text) }
        return "\(self)"
    }
}

extension FormScalar where Self: BinaryFloatingPoint {
    func formText(boolEncoding: URLEncoding.BoolEncoding, at position: FormPosition) throws -> String {
        guard isFinite else { throw URLEncodedFormEncoder.Error.nonFiniteNumber(path: position.text) }
        return "\(self)".withoutZeroFraction
    }
}

extension Double: FormScalar {}
extension Float: FormScalar {}
extension CGFloat: FormScalar {}

/// A writer that converts a tree of values to pairs.
///
/// ``FormContext`` limits the depth of the tree.
struct FormWriter {
    let options: URLEncodedFormEncoder

    /// Passes the pairs of named values to a function.
    func write(_ tree: FormTree, to append: (_ name: String, _ value: String) -> Void) {
        for index in order(of: tree) {
            write(tree.children[index], name: tree.names[index]) { Self.append($0, $1, to: append) }
        }
    }

    /// Passes the pairs of a value with a name to a function.
    ///
    /// - Throws: ``URLEncodedFormEncoder/Error``, or the error of the value's `encode(to:)`.
    func write(_ value: any Encodable, name: String, to append: (_ name: String, _ value: String) -> Void) throws {
        write(try form(of: value, name: name), name: name) { Self.append($0, $1, to: append) }
    }

    /// Returns the encoded form of a value with a name.
    ///
    /// - Throws: ``URLEncodedFormEncoder/Error``, or the error of the value's `encode(to:)`.
    func form(of value: any Encodable, name: String, keep: ((Any) -> (any Sendable)?)? = nil) throws -> FormValue {
        let context = FormContext(options: options, keep: keep, refusesLostCases: value is any ParameterWriter)
        let result = try context.value(of: value, at: FormPosition().appending(NameKey(stringValue: name)))
        if let failure = context.failure { throw failure }
        return result
    }

    /// Passes the pairs of an encoded form with a name to a function.
    func write(_ value: FormValue, name: String, to append: (_ name: String, _ value: FormLeaf) -> Void) {
        switch value {
        case .nothing:
            break
        case .null:
            if let text = options.nilEncoding.text(for: name) { append(name, .text(text)) }
        case .text(let text):
            append(name, .text(text))
        case .kept(let value):
            append(name, .kept(value))
        case .later(let encoder):
            write(encoder.value, name: name, to: append)
        case .tree(let tree) where tree.isNamed:
            for index in order(of: tree) {
                let inner = options.keyPathEncoding.name(for: tree.names[index], in: name)
                write(tree.children[index], name: inner, to: append)
            }
        case .tree(let tree):
            for (index, element) in tree.children.enumerated() {
                let inner = options.arrayEncoding.name(for: name, at: index)
                write(element, name: inner, to: append)
            }
        }
    }

    /// Returns the pairs of an encoded form as one text, by which unordered elements are sorted.
    fileprivate func text(of value: FormValue) -> String {
        var text = ""
        write(value, name: "") { name, leaf in
            switch leaf {
            case .text(let value): text += "\(name)=\(value)&"
            case .kept(let value): text += "\(name)=\(value)&"
            }
        }
        return text
    }

    private static func append(_ name: String, _ leaf: FormLeaf, to append: (String, String) -> Void) {
        // Every leaf has a text here, because the callers of this function set no ``FormContext/keep``.
        if case .text(let text) = leaf { append(name, text) }
    }

    private func order(of tree: FormTree) -> [Int] {
        switch options.keyOrder {
        case .asEncoded: Array(tree.names.indices)
        case .alphabetical: tree.names.indices.sorted { tree.names[$0] < tree.names[$1] }
        }
    }
}
