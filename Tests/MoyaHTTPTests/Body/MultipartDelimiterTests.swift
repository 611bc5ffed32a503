import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

@Suite("A given boundary must not occur in a part")
struct MultipartDelimiterTests {
    @Test(
        "the delimiter of a form is found in a part at every position, also across pieces",
        arguments: [
            ("B", "x--By", true), ("B", "--B", true), ("B", "-B", false), ("B", "--b", false), ("B", "---B", true),
            ("B", "-----B", true), ("--", "----", true), ("--", "---", false), ("-a-", "---a--a-", true),
            ("aab", "--aaab", false), ("aab", "--aa--aab", true), ("B", "", false),
        ]
    )
    func search(_ boundary: String, _ content: String, _ isFound: Bool) {
        let delimiter = MultipartDelimiter(boundary: boundary)
        #expect(delimiter.isFound(in: Data(content.utf8)) == isFound)
        for size in 1...3 {
            var matched = 0
            let bytes = Array(content.utf8)
            let found = stride(from: 0, to: bytes.count, by: size).contains { start in
                bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
                    delimiter.isFound(in: $0, matched: &matched)
                }
            }
            #expect(found == isFound)
        }
    }

    private func form(_ boundary: String?, _ body: HTTPBody) -> MultipartBody {
        let first = MultipartBody.Part(name: "first", body: .data(Data("1".utf8)))
        return MultipartBody(boundary: boundary, parts: [first, MultipartBody.Part(name: "p", body: body)])
    }

    @Test("data with the boundary of a form is refused immediately, and the error names the part")
    func data() {
        let content = HTTPBody.data(Data("a\r\n--B\r\nb".utf8))
        #expect(throws: MultipartError.boundaryInPart(part: "p", boundary: "B")) { try form("B", content).body() }
        #expect(throws: Never.self) { try form("C", content).body() }
        #expect(throws: Never.self) { try form(nil, content).body() }
        let parts = RequestMultipartFormData(boundary: "B")
        parts.append(Data("--B".utf8), withName: "p")
        #expect(throws: MultipartError.boundaryInPart(part: "p", boundary: "B")) { try parts.encode() }
    }

    @Test(
        "a file, a stream or a sequence with the boundary of a form fails before the boundary is sent",
        arguments: 0..<3,
        [0, 200_000]
    )
    func streamed(kind: Int, padding: Int) async throws {
        let content = Data(repeating: UInt8(ascii: "x"), count: padding) + Data("\r\n--BOUNDARY\r\nrest".utf8)
        let file = try TemporaryFile(content)
        let body: HTTPBody =
            switch kind {
            case 0: .file(file.url)
            case 1: .stream(InputStream(data: content))
            default: .sequence(elements([content.prefix(padding + 6), content.dropFirst(padding + 6)]))
            }
        let read = await (try form("BOUNDARY", body).body().open()).rest()
        #expect(read.error?.reason == .containsBoundary("BOUNDARY"))
        #expect(read.error?.part == "p")
        #expect(read.error?.localizedDescription.contains("contains the boundary \"BOUNDARY\"") == true)
        let sent = String(decoding: read.bytes, as: UTF8.self).components(separatedBy: "--BOUNDARY")
        // There are at most as many delimiters as parts before the end.
        #expect(sent.count <= 3)
        #expect(!sent.contains { $0.contains("rest") })
    }

    @Test("a part that contains only the beginning of the boundary is sent unchanged")
    func unharmed() async throws {
        let content = Data("--BOUNDAR\r\n--BOUND".utf8)
        let file = try TemporaryFile(content)
        for body in [
            HTTPBody.file(file.url), .stream(InputStream(data: content)), .sequence(elements([content])),
            .data(content),
        ] {
            let read = await (try form("BOUNDARY", body).body().open()).rest()
            #expect(read.error == nil)
            #expect(read.bytes.range(of: content) != nil)
        }
    }
}
