import Foundation
import MoyaHTTP
import Testing

@Suite("A failing multipart body never looks complete")
struct MultipartFailureTests {
    private struct Failure: Error {}
    static let piece = HTTPBody.pieceSize

    /// A content that fails, with the change that damages it after the body was opened.
    private struct Row {
        let name: String
        let body: HTTPBody
        var spoil: () throws -> Void = {}
    }

    private func rows(size: Int, file: TemporaryFile) -> [Row] {
        let content = Data.pattern(size)
        return [
            Row(name: "file grows", body: .file(file.url)) { try file.append(Data([1])) },
            Row(name: "file is cut", body: .file(file.url)) { try file.truncate(at: UInt64(size - 1)) },
            Row(name: "file goes", body: .file(file.url)) { try FileManager.default.removeItem(at: file.url) },
            Row(name: "stream short", body: .stream(InputStream(data: content), length: Int64(size + 1))),
            Row(name: "stream long", body: .stream(InputStream(data: content), length: Int64(size - 1))),
            Row(name: "stream fails", body: .stream(StubStream(chunks: [content], end: -1))),
            Row(name: "sequence short", body: .sequence(elements([content]), length: Int64(size + 1))),
            Row(name: "sequence long", body: .sequence(elements([content]), length: Int64(size - 1))),
            Row(name: "sequence fails", body: .sequence(elements([content], then: Failure()))),
        ]
    }

    @Test(
        "the error of a failing multipart body names the part, and no end of the part or the body is returned",
        arguments: [1, 1000, piece, 2 * piece + 1],
        0..<9
    )
    func failure(size: Int, index: Int) async throws {
        // The part may be the last one, or an empty part may follow.
        for following in 0...2 {
            let file = try TemporaryFile(.pattern(size))
            let row = rows(size: size, file: file)[index]
            var parts = [
                MultipartBody.Part(name: "first", body: .data(Data("1".utf8))),
                MultipartBody.Part(name: "broken", fileName: "f", mimeType: "a/b", body: row.body),
            ]
            parts += (0..<following).map { MultipartBody.Part(name: "after \($0)", body: .data(Data())) }
            let reader = try MultipartBody(boundary: "BOUNDARY", parts: parts).body().open()
            try row.spoil()
            let read = await reader.rest()
            #expect(read.error?.part == "broken", "\(row.name)")
            let bytes = read.bytes
            #expect(bytes.ranges(of: Data("\r\n--BOUNDARY".utf8)).count <= 1, "\(row.name)")
            #expect(bytes.range(of: Data("--BOUNDARY--".utf8)) == nil, "\(row.name)")
            if let length = reader.length { #expect(bytes.count < length, "\(row.name)") }
        }
    }

    @Test("a part's file that cannot be sent is detected when the body is opened, and the error names the part")
    func foundWhenOpened() throws {
        let url = URL(fileURLWithPath: "/nonexistent/x.png")
        let body = try MultipartBody(parts: [
            MultipartBody.Part(name: "photo", file: url),
            MultipartBody.Part(headers: ["X-A": "1"], body: .file(url)),
        ]).body()
        #expect(openingError(body) == RequestBodyError(.missing, part: "photo", file: url))
        let other = try MultipartBody(parts: [
            MultipartBodyTests.text("a", "1"), MultipartBody.Part(headers: ["X-A": "1"], body: .file(url)),
        ]).body()
        #expect(openingError(other) == RequestBodyError(.missing, part: "#2", file: url))
    }

    @Test("an error in a nested part of a form contains the name of the part")
    func nested() throws {
        let url = URL(fileURLWithPath: "/nonexistent/x.png")
        let inner = try MultipartBody(parts: [MultipartBody.Part(name: "inner", file: url)])
        let part = try MultipartBody.Part(name: "outer", mimeType: inner.contentType, body: inner.body())
        #expect(openingError(try MultipartBody(parts: [part]).body())?.part == "inner")
    }
}

extension Data {
    /// The positions at which the pattern occurs.
    fileprivate func ranges(of pattern: Data) -> [Range<Data.Index>] {
        var found: [Range<Data.Index>] = []
        while let range = range(of: pattern, in: (found.last?.upperBound ?? startIndex)..<endIndex) {
            found.append(range)
        }
        return found
    }
}
