import HTTPTypes
import Testing

@testable import MoyaHTTP

@Suite("The fields of a request are those of its headers, whatever the headers of the request before")
struct RequestFieldsTests {
    private static func list(_ fields: HTTPFields) -> [String] {
        fields.map { field in
            "\(field.name.rawName): \(field.withUnsafeBytesOfValue { Array($0) })"
        }
    }

    @Test(
        "each request has the fields of its headers",
        arguments: [
            [:], ["A": "1"], ["A": "2"], ["a": "2"], ["B": "2"], ["A": "2", "B": "2"], ["Accept": "c/d"],
            // Three texts of the same characters, two of which have the same number of bytes.
            ["A": "\u{C5}"], ["A": "A\u{30A}"], ["A": "\u{212B}"], ["A": "K"], ["A": "\u{212A}"],
        ] as [[String: String]]
    )
    func fields(_ headers: [String: String]) throws {
        let added: HTTPFields = [.accept: "a/b"]
        let expected = try HTTPFields(checking: headers, and: added)
        for before in [[:], ["A": "1"], ["A": "2"], ["A": "\u{C5}"], ["A": "A\u{30A}"], ["A": "\u{212B}"], headers] {
            let fields = RequestFields(adding: .success(added))
            _ = try fields.fields(of: before)
            #expect(Self.list(try fields.fields(of: headers)) == Self.list(expected))
        }
    }

    @Test("a name that only has the characters of a valid one is invalid")
    func invalidName() throws {
        let fields = RequestFields(adding: .success([:]))
        _ = try fields.fields(of: ["K": "1"])
        #expect(throws: RequestValidationError.invalidHeaderName("\u{212A}")) {
            try fields.fields(of: ["\u{212A}": "1"])
        }
    }

    @Test("an invalid header fails after a valid one, and a valid one passes after an invalid one")
    func invalid() throws {
        let fields = RequestFields(adding: .success([:]))
        for _ in 0..<2 {
            #expect(try fields.fields(of: ["A": "1"]) == [HTTPField.Name("A")!: "1"])
            #expect(throws: RequestValidationError.invalidHeaderValue(name: "A")) {
                try fields.fields(of: ["A": "1\r\n"])
            }
        }
    }

    @Test("invalid headers of the session fail each request")
    func invalidSession() {
        let fields = RequestFields(adding: .failure(.invalidHeaderName("a b")))
        for _ in 0..<2 {
            #expect(throws: RequestValidationError.invalidHeaderName("a b")) { try fields.fields(of: [:]) }
        }
    }
}
