import Foundation
import Testing

@testable import Moya

@Suite("The URLs of endpoints are parsed once")
struct ParsedURLsTests {
    private static let texts = [
        "http://h/a", "http://h/b", "http://h/a?b=c", "https://h/%20", "", "h", "http://h/a b", "http://h/ü",
        "http://h/K",
        // A kelvin sign and a Greek question mark, which are equal to K and a semicolon.
        "http://h/\u{212A}", "http://h/;", "http://h/\u{37E}",
    ]

    @Test("each text has its URL, whatever text was parsed before", arguments: texts)
    func urls(_ text: String) {
        for before in Self.texts {
            let urls = ParsedURLs(count: 1)
            _ = urls.url(before)
            for _ in 0..<2 { #expect(urls.url(text) == URL(strictly: text)) }
        }
    }

    @Test("the URLs of many texts are those of their texts")
    func manyTexts() {
        let urls = ParsedURLs(count: 8)
        for _ in 0..<2 {
            for number in 0..<100 { #expect(urls.url("http://h/\(number)")?.absoluteString == "http://h/\(number)") }
        }
    }
}
