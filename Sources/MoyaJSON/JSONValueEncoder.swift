#if !canImport(Darwin)
import Foundation

/// An encoder of a value, with the default strategies of `JSONEncoder`.
final class JSONValueEncoder: Encoder {
    private let writer: JSONDocumentWriter
    /// The number of the encoder among the encoders of the writer.
    private let number: Int
    /// The number of elements written to the array of the encoder.
    private(set) var count = 0

    init(_ writer: JSONDocumentWriter) {
        self.writer = writer
        number = writer.newEncoder()
    }

    /// Always empty, because only Foundation's encoder knows which keys it omits.
    var codingPath: [any CodingKey] {
        writer.leaveToFoundation()
        return []
    }

    /// Always empty, because Foundation encodes if there is user information.
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        writer.openContainer(by: number, isObject: true)
        return KeyedEncodingContainer(JSONKeyedEncodingContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        writer.openContainer(by: number, isObject: false)
        return JSONUnkeyedEncodingContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    // MARK: Members and elements

    func beginMember(_ name: String) { writer.beginMember(name, of: number) }

    func beginElement() {
        writer.beginElement(of: number)
        count += 1
    }

    @inline(__always)
    func writeMember<Value: Encodable>(_ value: Value, _ name: String) throws {
        beginMember(name)
        try writeNested(value)
    }

    @inline(__always)
    func writeElement<Value: Encodable>(_ value: Value) throws {
        beginElement()
        try writeNested(value)
    }

    /// Writes the value of a member, or an element.
    @inline(__always)
    private func writeNested<Value: Encodable>(_ value: Value) throws {
        if try writer.writeScalar(value) { return }
        try writer.write(value, by: nested())
    }

    func writeNull() { writer.writeNull() }

    /// Creates the encoder of the value of a member, or an element.
    func nested() -> JSONValueEncoder { JSONValueEncoder(writer) }

    /// Leaves the value to Foundation, because it writes a superclass at another position, and returns an encoder without effect.
    func superEncoder() -> any Encoder {
        writer.leaveToFoundation()
        return JSONValueEncoder(JSONDocumentWriter([]))
    }
}

extension JSONValueEncoder: SingleValueEncodingContainer {
    func encodeNil() {
        writer.expectValue(of: number)
        writer.writeNull()
    }

    @inline(__always)
    func encode<Value: Encodable>(_ value: Value) throws { try writeOwn(value) }

    // The default implementations throw.
    func encode(_ value: Int128) throws { try writeOwn(value) }
    func encode(_ value: UInt128) throws { try writeOwn(value) }

    private func writeOwn<Value: Encodable>(_ value: Value) throws {
        writer.expectValue(of: number)
        if try writer.writeScalar(value) { return }
        try writer.write(value, by: self)
    }
}
#endif
