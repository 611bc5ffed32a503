import HTTPTypes
import Testing

@testable import MoyaHTTP

@Suite("Common field names are found by their bytes")
struct KnownFieldNamesTests {
    @Test(
        "a known field name is equal to the same name created from its text, and keeps its spelling",
        arguments: [
            "Content-Type", "content-type", "CONTENT-TYPE", "ETag", "etag", "Etag", "Set-Cookie", "X-Unknown", "Date",
            "date",
            "X-Request-ID", "X-Request-Id", "Strict-Transport-Security", "A", "Server",
        ]
    )
    func equal(text: String) throws {
        let name = try #require(HTTPField.Name(checking: text))
        let expected = try #require(HTTPField.Name(text))
        #expect(name == expected)
        #expect(name.rawName == text)
        #expect(name.canonicalName == expected.canonicalName)
    }

    @Test(
        "an invalid field name is rejected",
        arguments: ["", " Date", "Date ", "Da te", "Date:", "D\u{E4}te", String(repeating: "a b", count: 100)]
    )
    func none(text: String) {
        #expect(HTTPField.Name(checking: text) == nil)
    }
}
