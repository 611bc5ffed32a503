import Foundation

/// A writer for the elements of a DER encoding (X.690, section 8), the counterpart of ``DERReader``.
enum DERWriter {
    /// Returns an element with a tag and a content.
    static func element(_ tag: UInt8, _ content: Data) -> Data {
        var bytes = Data([tag])
        if content.count < 0x80 {
            bytes.append(UInt8(content.count))
        } else {
            let length = unsigned(content.count)
            bytes.append(0x80 | UInt8(length.count))
            bytes += length
        }
        return bytes + content
    }

    /// Returns a sequence of elements.
    static func sequence(_ elements: Data...) -> Data { element(DERReader.Tag.sequence, elements.reduce(Data(), +)) }

    /// Returns a set with one element.
    static func set(_ element: Data) -> Data { Self.element(0x31, element) }

    /// Returns an octet string.
    static func octets(_ bytes: Data) -> Data { element(DERReader.Tag.octetString, bytes) }

    /// Returns an object identifier, from its encoded content.
    static func identifier(_ content: [UInt8]) -> Data { element(DERReader.Tag.objectIdentifier, Data(content)) }

    /// Returns an integer; the number must not be negative.
    static func integer(_ number: Int) -> Data {
        let bytes = unsigned(number)
        return element(DERReader.Tag.integer, bytes[0] < 0x80 ? bytes : [0] + bytes)
    }

    /// Returns an element in an explicit tag.
    static func tagged(_ number: UInt8, _ element: Data) -> Data {
        Self.element(DERReader.Tag.context(number, isConstructed: true), element)
    }

    /// NULL, which stands for the parameters of an algorithm that has none.
    static let null = Data([0x05, 0x00])

    private static func unsigned(_ number: Int) -> Data {
        let bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { Data($0.drop { $0 == 0 }) }
        return bytes.isEmpty ? Data([0]) : bytes
    }
}
