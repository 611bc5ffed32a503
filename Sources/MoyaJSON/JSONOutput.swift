#if !canImport(Darwin)
import Foundation

/// JSON text that is written value by value, with the same bytes as `JSONSerialization` of swift-corelibs-foundation.
@usableFromInline package struct JSONOutput {
    @usableFromInline package internal(set) var bytes: [UInt8] = []
    private let options: JSONSerialization.WritingOptions
    /// The number of open arrays and objects.
    private var level = 0
    private var isAtFirstItem = false

    package init(options: JSONSerialization.WritingOptions) {
        self.options = options
        bytes.reserveCapacity(256)
    }

    // MARK: Containers

    package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    package mutating func endArray() { end(UInt8(ascii: "]")) }
    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    package mutating func endObject() { end(UInt8(ascii: "}")) }

    /// Begins an element of an array; its value follows.
    package mutating func beginElement() {
        if !isAtFirstItem { bytes.append(UInt8(ascii: ",")) }
        if options.contains(.prettyPrinted) { breakLine() }
        isAtFirstItem = false
    }

    /// Begins a member of an object; its value follows.
    package mutating func beginMember(_ name: String) {
        beginElement()
        write(name)
        append(options.contains(.prettyPrinted) ? " : " : ":")
    }

    /// Rewrites the last items in another order.
    ///
    /// - Parameter ranges: The positions of the items, without commas, in the new order.
    mutating func reorderItems(_ ranges: [Range<Int>]) {
        guard let start = ranges.map(\.lowerBound).min() else { return }
        let items = ranges.map { bytes[$0] }.joined(separator: [UInt8(ascii: ",")])
        bytes.replaceSubrange(start..., with: Array(items))
    }

    private mutating func begin(_ bracket: UInt8) {
        bytes.append(bracket)
        level += 1
        isAtFirstItem = true
    }

    private mutating func end(_ bracket: UInt8) {
        level -= 1
        if options.contains(.prettyPrinted) {
            // JSONSerialization writes an empty line into an empty container.
            if isAtFirstItem { bytes.append(UInt8(ascii: "\n")) }
            breakLine()
        }
        bytes.append(bracket)
        isAtFirstItem = false
    }

    private mutating func breakLine() {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    // MARK: Scalars

    package mutating func writeNull() { append("null") }

    package mutating func write(_ value: Bool) { append(value ? "true" : "false") }

    @inlinable package mutating func write(_ number: some FixedWidthInteger) { append(number.description) }

    /// Writes a finite number with the fewest digits that identify it.
    @inlinable package mutating func write(_ number: some BinaryFloatingPoint & LosslessStringConvertible) {
        append(number.description)
        if bytes.suffix(2).elementsEqual(".0".utf8) { bytes.removeLast(2) }
    }

    package mutating func write(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices where needsEscape(utf8[index]) {
                bytes.append(contentsOf: utf8[start..<index])
                appendEscaped(utf8[index])
                start = index + 1
            }
            bytes.append(contentsOf: utf8[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a value that is already JSON text.
    package mutating func write(json: Data) { bytes.append(contentsOf: json) }

    @usableFromInline mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    private func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            || byte == UInt8(ascii: "/") && !options.contains(.withoutEscapingSlashes)
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        case ..<0x20: append((byte < 0x10 ? "u000" : "u00") + String(byte, radix: 16))
        default: bytes.append(byte)
        }
    }
}
#endif
