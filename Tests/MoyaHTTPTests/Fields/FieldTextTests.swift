import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

@Suite("A text preserves the bytes of a field value")
struct FieldTextTests {
    static let values: [[UInt8]] = [
        [], Array("a".utf8), Array("é".utf8), [0xE9], Array("caf".utf8) + [0xE9], [0xC3, 0xA9, 0xE9],
        [0xEF, 0xBF, 0xBD],
        // Truncated and overlong sequences, a surrogate, and a scalar that is too large.
        [0xF0, 0x9F, 0x8D], [0xE2, 0x82], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
        Array(0x80...0xFF), Array("e\u{301}".utf8),
    ]

    @Test("the bytes of a field value are restored from its text and from the storable text", arguments: values)
    func roundTrip(_ bytes: [UInt8]) {
        let text = FieldText(bytes: bytes)
        #expect(text.bytes == bytes)
        #expect(text.count == bytes.count)
        #expect(text.isLatin1 == (String(validUTF8: bytes) == nil))
        #expect(FieldText(storable: text.storable) == text)
        let field = HTTPField(name: .eTag, value: text)
        #expect(field.bytes == bytes)
        #expect(field.fieldText == text)
        #expect(field.isUTF8 == !text.isLatin1)
    }

    @Test("texts of field values, and their storable texts, are equal only if their bytes are equal")
    func equality() {
        for (first, one) in Self.values.enumerated() {
            for (second, other) in Self.values.enumerated() {
                let texts = (FieldText(bytes: one), FieldText(bytes: other))
                #expect((texts.0 == texts.1) == (first == second))
                #expect(texts.0.storable.utf8.elementsEqual(texts.1.storable.utf8) == (first == second))
                if first == second { #expect(Set([texts.0, texts.1]).count == 1) }
            }
        }
        #expect(FieldText(latin1: "\u{100}") == nil)
        #expect(FieldText(latin1: "\u{C3}\u{A9}") == FieldText("é"))
        #expect(FieldText(storable: "\0\u{100}") == FieldText("\0\u{100}"))
    }

    @Test(
        "only bytes of a field value that are not UTF-8 are percent-encoded",
        arguments: [
            ([0x2F, 0xE9], "/%E9"), ([0xC3, 0xA9, 0xE9, 0x61], "é%E9a"), ([0xE2, 0x82, 0x41], "%E2%82A"),
            ([0xC0, 0xAF], "%C0%AF"), (Array("/%E9 é?".utf8), "/%E9 é?"), ([], ""), ([0xFF], "%FF"),
        ] as [([UInt8], String)]
    )
    func escaping(_ bytes: [UInt8], _ expected: String) {
        #expect(String(escapingInvalidUTF8: bytes).utf8.elementsEqual(expected.utf8))
    }

    @Test("the lines of a field are joined as bytes")
    func lines() {
        var fields = HTTPFields()
        #expect(fields[text: .eTag] == nil)
        fields.append(HTTPField(name: .eTag, value: [0xE9]))
        #expect(fields[text: .eTag]?.bytes == [0xE9])
        fields.append(HTTPField(name: .eTag, value: "é"))
        #expect(fields[text: .eTag]?.bytes == [0xE9, 0x2C, 0x20, 0xC3, 0xA9])
        #expect(fields.combined["ETag"] == "é, é")
        fields.set(.eTag, FieldText("a"))
        #expect(fields.count == 1)
    }

    @Test("selecting fields and entity tags are compared as bytes")
    func comparisons() {
        func fields(_ bytes: [UInt8]) -> HTTPFields {
            var fields = HTTPFields()
            fields.set(.cookie, FieldText(bytes: bytes))
            return fields
        }
        for one in Self.values {
            let stored = SelectingFields.values(of: ["cookie"], in: fields(one))
            for other in Self.values {
                #expect(SelectingFields.matches(stored, in: fields(other)) == (one == other))
                let tags = (EntityTag(FieldText(bytes: one)), EntityTag(FieldText(bytes: other)))
                #expect((tags.0 == tags.1) == (one == other))
            }
            #expect(!SelectingFields.matches(stored, in: [:]))
        }
        let lines = [HTTPField(name: .ifNoneMatch, value: [0x22, 0xE9, 0x22, 0x2C] + Array("W/\"é\"".utf8))]
        let tags = EntityTag.list(lines)
        #expect(tags.map { Array($0.opaque) } == [[0x22, 0xE9, 0x22], Array("\"é\"".utf8)])
    }
}

extension HTTPFields {
    fileprivate func with(_ name: HTTPField.Name, _ value: FieldText) -> HTTPFields {
        var fields = self
        fields.set(name, value)
        return fields
    }
}
