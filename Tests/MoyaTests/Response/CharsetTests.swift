import Foundation
import Moya
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A response's text is read in its charset")
struct CharsetTests {
    private func response(_ bytes: [UInt8], _ type: String?) throws -> Response {
        let url = try #require(URL(string: "http://h/"))
        let fields = type.map { ["Content-Type": $0] } ?? [:]
        let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields)
        return Response(statusCode: 200, data: Data(bytes), response: head)
    }

    static let texts: [([UInt8], String?, String)] = [
        ([0xE9], "text/plain; charset=ISO-8859-1", "é"), ([0xE9], "text/plain;charset=\"iso-8859-1\"", "é"),
        ([0x80], "text/html; Charset=windows-1252", "€"), ([0xC0], "text/plain; charset=windows-1251", "А"),
        ([0xB1], "text/plain; charset=iso-8859-2", "ą"), ([0x82, 0xA0], "text/plain; charset=Shift_JIS", "あ"),
        ([0x61, 0x00], "text/plain; charset=utf-16le", "a"),
        ([0xFE, 0xFF, 0x00, 0x61], "text/plain; charset=utf-16", "a"),
        // The text is UTF-8 by name, without a charset, with an unknown charset, and with a wrong one.
        ([0xC3, 0xA9], "text/plain; charset=utf-8", "é"), ([0xC3, 0xA9], "text/plain", "é"), ([0xC3, 0xA9], nil, "é"),
        ([0xC3, 0xA9], "text/plain; charset=x-unknown", "é"), ([0xC3, 0xA9], "text/plain; charset=us-ascii", "é"),
        ([0xC3, 0xA9], "text/plain; charset=", "é"), ([], "text/plain; charset=iso-8859-1", ""),
    ]

    @Test("the text of a response is read in the content type's charset, and otherwise in UTF-8", arguments: texts)
    func text(_ bytes: [UInt8], _ type: String?, _ text: String) throws {
        let response = try response(bytes, type)
        #expect(try response.mapString() == text)
        #expect(try response.output(String.self) == text)
    }

    @Test("text of a response that is invalid in the charset and in UTF-8 is an error that names the charset")
    func noText() throws {
        for type in ["text/plain; charset=us-ascii", "text/plain; charset=x-unknown"] {
            let error = #expect(throws: MoyaError.self) { try response([0xE9], type).mapString() }
            let name = type.components(separatedBy: "=").last ?? ""
            #expect(
                error?.localizedDescription
                    == "Failed to map data to a String. It is not text in the charset \"\(name)\"."
            )
        }
        let plain = #expect(throws: MoyaError.self) { try response([0xE9], "text/plain").mapString() }
        #expect(plain?.localizedDescription == "Failed to map data to a String.")
    }
}
