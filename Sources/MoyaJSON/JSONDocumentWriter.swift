#if !canImport(Darwin)
import Foundation

/// JSON text that is written while a value encodes itself.
///
/// The writer leaves a value that does not write its containers in order to Foundation's encoder. No code of applications runs
/// while a property is modified, so exclusive access is not checked at run time.
final class JSONDocumentWriter {
    private struct Member {
        let name: String
        /// The hash value of the name; `nil` for a name that is not ASCII.
        let hash: UInt32?
        let start: Int
    }

    private struct Container {
        let encoder: Int
        let isObject: Bool
        /// The number of members written before the container was opened.
        let firstMember: Int
    }

    /// The maximum nesting depth, which limits the stack that encoding uses.
    private static let deepestLevel = 128

    @exclusivity(unchecked)
    private var output: JSONOutput
    private let sortsNames: Bool
    /// The open containers.
    @exclusivity(unchecked)
    private var open: [Container] = []
    /// The members of the open objects.
    @exclusivity(unchecked)
    private var members: [Member] = []
    @exclusivity(unchecked)
    private var lastEncoder = 0
    /// The number of the encoder that has to write the next value; 0 if a container has to write it.
    @exclusivity(unchecked)
    private var awaited = 0
    /// The number of open containers around the value that encodes itself; the value must not write into these containers.
    @exclusivity(unchecked)
    private var outerContainers = 0
    /// Whether only Foundation's encoder can determine the result.
    @exclusivity(unchecked)
    private var needsFoundation = false

    init(_ formatting: JSONEncoder.OutputFormatting) {
        output = JSONOutput(options: formatting.contains(.withoutEscapingSlashes) ? .withoutEscapingSlashes : [])
        sortsNames = formatting.contains(.sortedKeys)
    }

    /// Encodes a value; returns `nil` if only Foundation's encoder can determine the result or the error.
    func text(of value: some Encodable) -> Data? {
        do {
            try JSONValueEncoder(self).encode(value)
        } catch {
            return nil
        }
        return needsFoundation ? nil : Data(output.bytes)
    }

    /// Leaves the result of the encoding to Foundation's encoder.
    func leaveToFoundation() { needsFoundation = true }

    /// Returns the number of a new encoder, which has to write the next value.
    func newEncoder() -> Int {
        lastEncoder += 1
        awaited = lastEncoder
        return lastEncoder
    }

    // MARK: Values

    /// Lets a value encode itself with the encoder that must write it.
    func write(_ value: some Encodable, by encoder: JSONValueEncoder) throws {
        let outer = outerContainers
        outerContainers = open.count
        defer { outerContainers = outer }
        do {
            try value.encode(to: encoder)
        } catch {
            leaveToFoundation()
            throw error
        }
        // Foundation writes a value that encodes nothing as an empty object, or throws an error.
        if awaited != 0 { leaveToFoundation() }
        closeContainers(downTo: outerContainers)
    }

    /// Checks that an encoder has to write the next value.
    func expectValue(of encoder: Int) {
        if awaited != encoder { leaveToFoundation() }
    }

    /// Opens the container of an encoder, or continues it if it is open.
    func openContainer(by encoder: Int, isObject: Bool) {
        if awaited != encoder {
            let isOpen = open.contains { $0.encoder == encoder && $0.isObject == isObject }
            if !isOpen { leaveToFoundation() }
            return
        }
        awaited = 0
        if open.count >= Self.deepestLevel { leaveToFoundation() }
        open.append(Container(encoder: encoder, isObject: isObject, firstMember: members.count))
        if isObject { output.beginObject() } else { output.beginArray() }
    }

    func beginElement(of encoder: Int) {
        resume(encoder, isObject: false)
        output.beginElement()
    }

    func beginMember(_ name: String, of encoder: Int) {
        resume(encoder, isObject: true)
        let end = output.bytes.count
        output.beginMember(name)
        let start = output.bytes[end] == UInt8(ascii: ",") ? end + 1 : end
        var text = name
        let hash = text.withUTF8 { JSONNames.hash(UnsafeRawBufferPointer($0)) }
        members.append(Member(name: name, hash: hash, start: start))
    }

    /// Continues a container, and closes the containers in it.
    private func resume(_ encoder: Int, isObject: Bool) {
        let index = open.lastIndex { $0.encoder == encoder && $0.isObject == isObject }
        guard awaited == 0, let index, index >= outerContainers else { return leaveToFoundation() }
        closeContainers(downTo: index + 1)
    }

    private func closeContainers(downTo count: Int) {
        while open.count > count, let container = open.popLast() {
            guard container.isObject else {
                output.endArray()
                continue
            }
            closeMembers(from: container.firstMember)
            output.endObject()
        }
    }

    /// Checks that the names of an object are distinct; Foundation writes the last value of a repeated name.
    private func closeMembers(from first: Int) {
        if !haveDistinctNames(members[first...]) { leaveToFoundation() }
        if sortsNames, !needsFoundation { sortMembers(members[first...]) }
        members.removeSubrange(first...)
    }

    private func haveDistinctNames(_ members: ArraySlice<Member>) -> Bool {
        let areASCII = members.allSatisfy { $0.hash != nil }
        guard areASCII, members.count <= JSONNames.few else {
            return Set(members.map(\.name)).count == members.count
        }
        for index in members.indices {
            for other in members.startIndex..<index where members[other].hash == members[index].hash {
                return false
            }
        }
        return true
    }

    private func sortMembers(_ members: ArraySlice<Member>) {
        let ends = members.dropFirst().map { $0.start - 1 } + [output.bytes.count]
        let sorted = zip(members, ends).sorted { $0.0.name.utf8.lexicographicallyPrecedes($1.0.name.utf8) }
        output.reorderItems(sorted.map { $0.0.start..<$0.1 })
    }

    // MARK: Scalars

    func writeNull() {
        awaited = 0
        output.writeNull()
    }

    /// Writes a value of a type that `JSONEncoder` encodes itself.
    ///
    /// - Returns: Whether the value has such a type and was written.
    @inline(__always)
    func writeScalar<Value: Encodable>(_ value: Value) throws -> Bool {
        if let value = cast(value, to: String.self) {
            output.write(value)
        } else if let value = cast(value, to: Int.self) {
            output.write(value)
        } else if let value = cast(value, to: Bool.self) {
            output.write(value)
        } else if let value = cast(value, to: Double.self) {
            try writeFinite(value)
        } else if try !writeRareScalar(value) {
            return false
        }
        awaited = 0
        return true
    }

    private func writeRareScalar<Value: Encodable>(_ value: Value) throws -> Bool {
        if let value = cast(value, to: [String].self) {
            try writeArray(value) { output.write($0) }
        } else if let value = cast(value, to: [Int].self) {
            try writeArray(value) { output.write($0) }
        } else if let value = cast(value, to: [Double].self) {
            try writeArray(value, writeFinite)
        } else if let value = cast(value, to: Float.self) {
            try writeFinite(value)
        } else if let value = cast(value, to: URL.self) {
            output.write(value.absoluteString)
        } else if let value = cast(value, to: Data.self) {
            output.write(value.base64EncodedString())
        } else if let value = cast(value, to: Decimal.self) {
            output.write(json: Data(value.description.utf8))
        } else {
            return writeInteger(value, Int8.self) || writeInteger(value, Int16.self)
                || writeInteger(value, Int32.self) || writeInteger(value, Int64.self)
                || writeInteger(value, Int128.self) || writeInteger(value, UInt.self)
                || writeInteger(value, UInt8.self) || writeInteger(value, UInt16.self)
                || writeInteger(value, UInt32.self) || writeInteger(value, UInt64.self)
                || writeInteger(value, UInt128.self)
        }
        return true
    }

    @inline(__always)
    private func writeArray<Element>(_ elements: [Element], _ write: (Element) throws -> Void) throws {
        output.beginArray()
        for element in elements {
            output.beginElement()
            try write(element)
        }
        output.endArray()
    }

    private func writeInteger<Integer: FixedWidthInteger>(_ value: some Encodable, _ type: Integer.Type) -> Bool {
        guard let integer = cast(value, to: type) else { return false }
        output.write(integer)
        return true
    }

    private func writeFinite(_ number: some BinaryFloatingPoint & LosslessStringConvertible) throws {
        guard number.isFinite else {
            leaveToFoundation()
            throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "It is not finite."))
        }
        output.write(number)
    }

    /// Returns the value as the type, if that is its type.
    @inline(__always)
    private func cast<Value, Target>(_ value: Value, to type: Target.Type) -> Target? {
        Value.self == type ? unsafeBitCast(value, to: type) : nil
    }
}
#endif
