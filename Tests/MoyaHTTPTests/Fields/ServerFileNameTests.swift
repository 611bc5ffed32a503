import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPFields

@Suite("A server suggests the file name of a download")
struct ServerFileNameTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let disposition: String?
        let url: String
        let type: String?
        let name: String

        init(_ disposition: String, _ name: String) { self.init(disposition, "http://h/", nil, name) }

        init(_ disposition: String?, _ url: String, _ type: String?, _ name: String) {
            self.disposition = disposition
            self.url = url
            self.type = type
            self.name = name
        }

        var testDescription: String { "\(disposition?.prefix(60) ?? "-") \(url.prefix(60)) \(type ?? "")" }
    }

    static let table: [Row] = [
        // The header takes precedence over the URL and the default name.
        Row("attachment; filename=a.txt", "http://h/b.txt", "image/png", "a.txt"),
        Row("attachment", "http://h/dir/b.txt?c=d#e", "image/png", "b.txt"),
        Row(nil, "http://h/dir/b.txt", nil, "b.txt"),
        Row(nil, "http://h/a/b/", nil, "b"),
        Row(nil, "http://h/a%20b%C3%BC.txt", nil, "a bü.txt"),
        Row(nil, "http://h/a%FFb", nil, "a%FFb"),
        Row(nil, "http://h", nil, "download"),
        Row(nil, "http://h/", "application/pdf", "download.pdf"),
        Row(nil, "http://h/", " Text/HTML ; charset=utf-8", "download.html"),
        Row(nil, "http://h/", "application/x-unknown", "download"),
        Row(nil, "http://h/", "../x", "download"),
        Row(nil, "http://h/?filename=a", nil, "download"),
        // The extended name takes precedence; if it is not safe, the plain name is used.
        Row("attachment; filename=a; filename*=UTF-8''b", "b"),
        Row("attachment; filename=a; filename*=UTF-8''..%2F", "a"),
        Row("attachment; filename=..; filename*=UTF-8''%2F", "http://h/c", nil, "c"),
        Row("attachment; filename=..", "http://h/..%2F", "image/png", "download.png"),
        // These names would lead out of the folder.
        Row("attachment; filename=../../etc/passwd", "passwd"),
        Row("attachment; filename=\"../../etc/passwd\"", "passwd"),
        Row("attachment; filename=/etc/passwd", "passwd"),
        Row("attachment; filename=..\\..\\x", "x"),
        Row("attachment; filename=\"..\\\\..\\\\x\"", "x"),
        Row("attachment; filename=C:\\dir\\x.txt", "x.txt"),
        Row("attachment; filename=\\\\host\\share\\x.txt", "x.txt"),
        Row("attachment; filename=%2e%2e%2f", "%2e%2e%2f"),
        Row("attachment; filename*=UTF-8''..%2F..%2Fx", "x"),
        Row("attachment; filename*=UTF-8''..%5C..%5Cx", "x"),
        Row("attachment; filename*=UTF-8''%2e%2e%2fx", "x"),
        Row("attachment; filename*=UTF-8''x%2F%2E%2E", "http://h/c", nil, "c"),
        Row(nil, "http://h/..%2F..%2Fetc%2Fpasswd", nil, "passwd"),
        Row(nil, "http://h/%2e%2e%2f", nil, "download"),
        Row(nil, "http://h/%2e%2e%5cx", nil, "x"),
        Row(nil, "http://h/%252e%252e%252fx", nil, "%2e%2e%2fx"),
        // These names would be hidden, or consist of dots only.
        Row("attachment; filename=.bashrc", "bashrc"),
        Row("attachment; filename=\" . .. .bashrc\"", "bashrc"),
        Row("attachment; filename=...", "http://h/c", nil, "c"),
        Row("attachment; filename=\". . .\"", "http://h/c", nil, "c"),
        Row("attachment; filename=\"a. . .\"", "a"),
        Row("attachment; filename=\"   \"", "http://h/c", nil, "c"),
        Row("attachment; filename=\"\"", "http://h/c", nil, "c"),
        // These names have misleading characters, or characters that end a path.
        Row("attachment; filename*=UTF-8''a%00b.txt", "ab.txt"),
        Row("attachment; filename*=UTF-8''.%00.%00%2Fx", "x"),
        Row("attachment; filename*=UTF-8''.%00.", "http://h/c", nil, "c"),
        Row("attachment; filename*=UTF-8''a%0D%0Ab%09c%7F%C2%85d%1B[0m", "abcd[0m"),
        Row("attachment; filename*=UTF-8''%E2%80%AEfdp.exe", "fdp.exe"),
        Row("attachment; filename*=UTF-8''a%E2%81%A6b%E2%81%A9%E2%80%8F%D8%9Cc", "abc"),
        Row("attachment; filename*=UTF-8''a%E2%80%A8b%EF%BB%BFc", "abc"),
        Row(nil, "http://h/a%00b", nil, "ab"),
        // The combining mark would join the preceding slash.
        Row("attachment; filename*=UTF-8''dir%2F%CC%81x", "\u{301}x"),
        Row("attachment; filename*=UTF-8''.%CC%81x", "\u{301}x"),
        // Names that are only unusual are kept.
        Row("attachment; filename=\"👩‍👩‍👧🇩🇪.txt\"", "👩‍👩‍👧🇩🇪.txt"),
        Row("attachment; filename=\"שלום.txt\"", "שלום.txt"),
        Row("attachment; filename=\"a: b?*|<>~$(x)`'.txt\"", "a: b?*|<>~$(x)`'.txt"),
        Row("attachment; filename=\"=?UTF-8?B?Zm9v/2Jhcg==?=\"", "2Jhcg==?="),
        Row("attachment; filename=\"unterminated.txt", "unterminated.txt"),
        Row("attachment; filename=-rf", "-rf"),
        Row("attachment; filename=~", "~"),
    ]

    @Test("the file name comes from the header, the URL or the default, and stays in its folder", arguments: table)
    func name(_ row: Row) {
        let name = ServerFileName.suggested(
            contentDisposition: row.disposition,
            url: URL(string: row.url),
            contentType: row.type
        )
        #expect(name == row.name)
        #expect(Array(name.unicodeScalars) == Array(row.name.unicodeScalars))
        expectSafe(name)
    }

    @Test("without a header and a URL, the default file name is used")
    func nothing() {
        #expect(ServerFileName.suggested(contentDisposition: nil, url: nil, contentType: nil) == "download")
    }

    static let lengths: [(String, Int, String)] = [
        (String(repeating: "a", count: 255), 255, ""),
        (String(repeating: "a", count: 256), 255, ""),
        (String(repeating: "a", count: 10_240), 255, ""),
        (String(repeating: "a", count: 10_240) + ".txt", 255, ".txt"),
        (String(repeating: "a", count: 10_240) + ".tar.gz", 255, ".gz"),
        ("a." + String(repeating: "x", count: 10_240), 255, ""),
        (String(repeating: "ü", count: 10_240), 254, ""),
        (String(repeating: "ü", count: 10_240) + ".jpg", 254, ".jpg"),
        // Grapheme clusters of 25 bytes are not split.
        (String(repeating: "👨‍👩‍👧‍👦", count: 1_000) + ".png", 254, "👨‍👩‍👧‍👦.png"),
        // One character of 20 KiB is cut between its scalars.
        ("a" + String(repeating: "\u{301}", count: 10_240), 255, ""),
        (String(repeating: "a", count: 254) + "  " + String(repeating: "b", count: 100), 254, ""),
        (String(repeating: ".", count: 10_240) + "x", 1, "x"),
        ("x" + String(repeating: " ", count: 10_240), 1, "x"),
    ]

    @Test("the file name has at most 255 bytes, and keeps its extension", arguments: lengths)
    func length(_ text: String, count: Int, ending: String) throws {
        let name = try #require(SafeFileName.make(from: text))
        #expect(name.utf8.count == count)
        #expect(name.hasSuffix(ending))
        #expect(SafeFileName.make(from: name) == name)
        expectSafe(name)
    }

    @Test("the file name is safe for any input of the server", arguments: 0..<20)
    func randomNames(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            ".", "..", "/", "\\", "\0", "%2e", "%2F", "%00", " ", "\u{202E}", "\u{2066}", "a", "ü", "👩‍👩‍👧", "\u{301}",
            "\"", ";",
            "filename=", "filename*=UTF-8''", "'", "\r\n", "\u{85}", String(repeating: "x", count: 100), ".txt",
            "\u{FFFF}", "~",
        ]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            .joined()
            let name = ServerFileName.suggested(
                contentDisposition: "attachment; filename*=UTF-8''\(text); filename=\"\(text)\"; \(text)",
                url: URL(string: "http://h/\(text)"),
                contentType: text
            )
            expectSafe(name, "seed \(seed), \(text.debugDescription)")
        }
    }

    private func expectSafe(_ name: String, _ comment: Comment? = nil) {
        let folder = "/tmp/folder"
        let url = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(name, isDirectory: false)
        #expect(Array(url.path(percentEncoded: false).utf8) == Array("\(folder)/\(name)".utf8), comment)
        #expect(Array(url.standardizedFileURL.path(percentEncoded: false).utf8).starts(with: Array("\(folder)/".utf8)))
        let scalars = name.unicodeScalars
        #expect(!scalars.isEmpty && name.utf8.count <= 255, comment)
        #expect(scalars.first != "." && scalars.last != "." && scalars.first != " " && scalars.last != " ", comment)
        #expect(!scalars.contains { $0 == "/" || $0 == "\\" || $0.value < 32 || $0.properties.isBidiControl }, comment)
    }
}
