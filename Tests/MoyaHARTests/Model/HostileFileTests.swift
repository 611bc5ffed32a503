import Foundation
import TestSupport
import TestTraits
import Testing

@testable import MoyaHAR

@Suite("Hostile HAR files are rejected or read safely", .ownThread)
struct HostileFileTests {
    /// Returns the text of the small archive with one part replaced.
    private static func small(_ old: String, _ new: String) -> Data {
        Data(HAR.smallText.replacingOccurrences(of: old, with: new).utf8)
    }

    private static let entry = "log.entries[0]"

    static let cases: [(data: Data, error: HARError)] = [
        (Data(), HARError(.cut)),
        (Data("nonsense".utf8), HARError(.notJSON)),
        (Data("{}".utf8), HARError(.missingValue, path: "log")),
        (Data("[]".utf8), HARError(.wrongType(expected: "object"))),
        (Data(#"{"log": {}}"#.utf8), HARError(.missingValue, path: "log.entries")),
        (Data(#"{"log": []}"#.utf8), HARError(.wrongType(expected: "object"), path: "log")),
        (Data(#"{"log": {"entries": {}}}"#.utf8), HARError(.wrongType(expected: "list"), path: "log.entries")),
        (Data(#"{"log": {"entries": [1]}}"#.utf8), HARError(.wrongType(expected: "object"), path: entry)),
        (Data(HAR.smallText.utf8.prefix(500)), HARError(.cut)),
        // These texts are not JSON, but have an unclosed quote or bracket.
        (Data("5\" of rain".utf8), HARError(.notJSON)),
        (Data("[2026-01-01 12:00 (server)\n{".utf8), HARError(.notJSON)),
        (Data("func f() { print(\"".utf8), HARError(.notJSON)),
        (Data(#"{"log": {"entries": [tru"#.utf8), HARError(.cut)),
        (Data(#"{"log": "\u00"#.utf8), HARError(.cut)),
        (Data([0xFF, 0xFE]) + Data("{\0}\0".utf8), HARError(.notJSON)),
        (Data([0x7B, 0x22, 0xC3, 0x28, 0x22, 0x7D]), HARError(.notJSON)),
        (
            small(#""method" : "POST""#, #""method" : {}"#),
            HARError(.wrongType(expected: "text"), path: "\(entry).request.method")
        ),
        (small(#""method" : "POST","#, ""), HARError(.missingValue, path: "\(entry).request.method")),
        (
            small(#""status" : 201"#, #""status" : "many""#),
            HARError(.invalidValue("is not a number"), path: "\(entry).response.status")
        ),
        (
            small(#""bodySize" : 15"#, #""bodySize" : 1e300"#),
            HARError(.invalidValue("is too large"), path: "\(entry).request.bodySize")
        ),
        (
            small(#""headers" : ["#, #""headers" : true, "_" : ["#),
            HARError(.wrongType(expected: "list"), path: "\(entry).request.headers")
        ),
        (
            small("2026-01-01T00:00:00.250Z", "yesterday"),
            HARError(
                .invalidValue("is not an ISO 8601 date, such as 2026-01-31T12:00:00.000Z"),
                path: "\(entry).startedDateTime"
            )
        ),
    ]

    @Test("the error for a wrong HAR file names the problem and its path", arguments: cases)
    func errors(_ data: Data, _ error: HARError) {
        #expect(throws: error) { try HAR(data: data) }
        #expect(error.localizedDescription.count > 10)
    }

    @Test("a deeply nested HAR file is not parsed", arguments: [257, 100_000, 3_000_000])
    func depth(_ depth: Int) {
        for bracket in ["[", #"{"a":"#] {
            #expect(throws: HARError(.tooDeep(limit: 256))) {
                try HAR(data: Data(String(repeating: bracket, count: depth).utf8))
            }
        }
    }

    @Test("a HAR archive of the maximum nesting is decoded on the small stack of a task's thread")
    func deepest() async throws {
        let deep = String(repeating: "[", count: 490) + String(repeating: "]", count: 490)
        let data = Self.small(#""comment" : "small""#, #""_own" : \#(deep)"#)
        let har = try await Task.detached { try HAR(data: data, limits: HARLimits(depth: 10_000)) }.value
        #expect(har.entries == HAR.small.entries)
        #expect(throws: HARError(.tooDeep(limit: 256))) { try HAR(data: data) }
    }

    @Test("brackets in strings do not count as nesting of a HAR file")
    func bracketsInTexts() throws {
        var har = HAR.small
        har.comment = String(repeating: "[{\"\\", count: 10_000)
        #expect(try HAR(data: har.data()) == har)
    }

    @Test("a HAR file that is too large, or not regular, is not read")
    func files() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har")
        try HAR.small.write(to: file)
        let size = try Data(contentsOf: file).count
        #expect(throws: HARError(.tooLarge(limit: size - 1), file: file)) {
            try HAR(contentsOf: file, limits: HARLimits(size: size - 1))
        }
        #expect(try HAR(contentsOf: file, limits: HARLimits(size: size)) == HAR.small)
        let sparse = folder.file("sparse.har")
        try Data().write(to: sparse)
        let handle = try FileHandle(forWritingTo: sparse)
        try handle.truncate(atOffset: 1 << 40)
        try handle.close()
        #expect(throws: HARError(.tooLarge(limit: 256 << 20), file: sparse)) { try HAR(contentsOf: sparse) }
        #expect(throws: HARError(.notARegularFile, file: folder.url)) { try HAR(contentsOf: folder.url) }
        let null = URL(fileURLWithPath: "/dev/zero")
        #expect(throws: HARError(.notARegularFile, file: null)) { try HAR(contentsOf: null) }
        #expect(throws: HARError(.missing, file: folder.file("b.har"))) { try HAR(contentsOf: folder.file("b.har")) }
        let web = try #require(URL(string: "http://127.0.0.1:1/a.har"))
        #expect(throws: HARError(.invalidValue("is not a file URL"), file: web)) { try HAR(contentsOf: web) }
    }

    @Test(
        "the file that a HAR entry names for its body is not read",
        arguments: ["/etc/passwd", "../../secret", "file:///etc/passwd", "a\u{0}b"]
    )
    func otherFile(_ path: String) throws {
        let name = try String(decoding: JSONEncoder().encode(path), as: UTF8.self)
        let data = Self.small(#""text" : "iVBORw==""#, #""_file" : \#(name)"#)
        #expect(try HAR(data: data).entries[0].response.content.data == nil)
    }

    @Test(
        "reading a randomly damaged HAR file throws an error or returns an archive, and never traps",
        arguments: [UInt64(1), 2, 3, 4]
    )
    func fuzz(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let original = Array(HAR.smallText.utf8)
        let pieces = [
            "{", "}", "[", "]", "\"", ":", ",", "null", "true", "-1", "1e999", "1e400", "-0", "\\", "\\u0000",
            "\\ud800",
            "9223372036854775808", "0.5", "\u{0}", "é", "[[[[", "\"base64\"", "2026-13-45",
        ].map { Array($0.utf8) }
        var archives = 0
        for _ in 0..<1_500 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let start = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[start] = UInt8.random(in: 0...255, using: &generator)
                case 1:
                    bytes.removeSubrange(start..<min(bytes.count, start + Int.random(in: 1...40, using: &generator)))
                case 2: bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: start)
                default: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator) / 8)
                }
                if bytes.isEmpty { bytes = [0x7B] }
            }
            do throws(HARError) {
                let har = try HAR(data: Data(bytes))
                archives += 1
                _ = try har.masking(.standard).data()
                for entry in har.entries { _ = (entry.request.postData?.data, entry.response.content.data) }
            } catch {
                #expect(error.errorDescription != nil, "seed \(seed)")
            }
        }
        #expect(archives > 10, "seed \(seed): most of it must have been read at all")
    }
}
