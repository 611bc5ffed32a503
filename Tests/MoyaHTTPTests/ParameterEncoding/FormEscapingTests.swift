import Foundation
import MoyaHTTP
import Testing

@Suite("Forms are escaped as RFC 3986 or the WHATWG URL standard specifies")
struct FormEscapingTests {
    private static func text(_ vector: FormVector, _ encoder: URLEncodedFormEncoder) throws -> String {
        var encoder = encoder
        encoder.keyOrder = .asEncoded
        return try encoder.encode(FormPairs(pairs: vector.pairs))
    }

    @Test("the form encoder writes the same bytes as Node and Python", arguments: FormVector.all)
    func vectors(_ vector: FormVector) throws {
        #expect(try Self.text(vector, URLEncodedFormEncoder()) == vector.rfc3986)
        #expect(try Self.text(vector, URLEncodedFormEncoder(spaceEncoding: .plus)) == vector.plus)
        #expect(try Self.text(vector, URLEncodedFormEncoder(escaping: .whatwg)) == vector.whatwg)
        let spaces = URLEncodedFormEncoder(spaceEncoding: .percentEscaped, escaping: .whatwg)
        #expect(try Self.text(vector, spaces) == vector.whatwg.replacingOccurrences(of: "+", with: "%20"))
    }

    static let reservedCharacters: [(String, String, String)] =
        [(":", "%3A"), ("#", "%23"), ("[", "%5B"), ("]", "%5D"), ("@", "%40")]
        .map { ($0, $1, $1) }
        + [("/", "/", "%2F"), ("?", "?", "%3F")]
        + [
            ("!", "%21"), ("$", "%24"), ("&", "%26"), ("'", "%27"), ("(", "%28"), (")", "%29"), ("+", "%2B"),
            (",", "%2C"), (";", "%3B"), ("=", "%3D"),
        ].map { ($0, $1, $1) }
        + [("*", "%2A", "*"), ("~", "~", "%7E"), ("-", "-", "-"), (".", ".", "."), ("_", "_", "_"), (" ", "%20", "+")]

    @Test(
        "RFC 3986, sections 2.2 and 2.3, and WHATWG URL, section 5.2, apply to escaped names and values",
        arguments: reservedCharacters
    )
    func reserved(_ character: String, rfc3986: String, whatwg: String) throws {
        let value = [character: ["x\(character)": character]]
        let text: String = try URLEncodedFormEncoder().encode(value)
        #expect(text == "\(rfc3986)%5Bx\(rfc3986)%5D=\(rfc3986)")
        let form: String = try URLEncodedFormEncoder(escaping: .whatwg).encode(value)
        #expect(form == "\(whatwg)%5Bx\(whatwg)%5D=\(whatwg)")
    }

    @Test("the escaping of a form determines the style for spaces, unless the style is set")
    func spaces() {
        #expect(URLEncodedFormEncoder().spaceEncoding == .percentEscaped)
        #expect(URLEncodedFormEncoder(escaping: .whatwg).spaceEncoding == .plus)
        #expect(
            URLEncodedFormEncoder(spaceEncoding: .percentEscaped, escaping: .whatwg).spaceEncoding == .percentEscaped
        )
        #expect(URLEncodedFormEncoder(spaceEncoding: .plus).spaceEncoding == .plus)
    }

    @Test("the encoded text and the encoded bytes of a form are equal")
    func bytes() throws {
        let text: String = try URLEncodedFormEncoder().encode(["é": "😀 "])
        let data: Data = try URLEncodedFormEncoder().encode(["é": "😀 "])
        #expect(text == "%C3%A9=%F0%9F%98%80%20")
        #expect(data == Data(text.utf8))
    }
}
