import Foundation
import MoyaHTTP
import TestSupport
import Testing

@Suite("RequestMultipartFormData encodes a form as Moya 15's class does")
struct RequestMultipartFormDataTests {
    /// All ways to add a part, and the resulting bodies.
    private func filled() throws -> (RequestMultipartFormData, files: [TemporaryFile], text: String) {
        let file = try TemporaryFile(Data("FILE".utf8), name: "ä 1.png")
        let other = try TemporaryFile(Data("OTHER".utf8), name: "no-extension")
        let form = RequestMultipartFormData(boundary: "b")
        form.append(Data("1".utf8), withName: "data")
        form.append(Data("2".utf8), withName: "named", fileName: "n.txt")
        form.append(Data("3".utf8), withName: "typed", mimeType: "text/plain")
        form.append(file.url, withName: "file")
        form.append(other.url, withName: "renamed", fileName: "o.bin", mimeType: "a/b")
        form.append(
            InputStream(data: Data("STREAM".utf8)),
            withLength: 6,
            name: "stream",
            fileName: "s",
            mimeType: "c/d"
        )
        form.append(
            InputStream(data: Data("RAW".utf8)),
            withLength: 3,
            headers: ["Content-Disposition": "form-data; name=raw", "X-A": "1"]
        )
        form.append(.data(Data("BODY".utf8)), withName: "body", fileName: "f", mimeType: "e/f")
        let parts = [
            "; name=\"data\"\r\n\r\n1",
            "; name=\"named\"; filename=\"n.txt\"\r\n\r\n2",
            "; name=\"typed\"\r\nContent-Type: text/plain\r\n\r\n3",
            "; name=\"file\"; filename=\"ä 1.png\"\r\nContent-Type: image/png\r\n\r\nFILE",
            "; name=\"renamed\"; filename=\"o.bin\"\r\nContent-Type: a/b\r\n\r\nOTHER",
            "; name=\"stream\"; filename=\"s\"\r\nContent-Type: c/d\r\n\r\nSTREAM",
            "; name=raw\r\nX-A: 1\r\n\r\nRAW",
            "; name=\"body\"; filename=\"f\"\r\nContent-Type: e/f\r\n\r\nBODY",
        ]
        let text = parts.map { "--b\r\nContent-Disposition: form-data\($0)\r\n" }.joined() + "--b--\r\n"
        return (form, [file, other], text)
    }

    @Test("encode() of a form builds the whole body in memory")
    func encode() throws {
        let (form, files, text) = try filled()
        #expect(form.contentLength == 1 + 1 + 1 + 4 + 5 + 6 + 3 + 4)
        #expect(try form.encode() == Data(text.utf8))
        withExtendedLifetime(files) {}
    }

    @Test("writeEncodedData(to:) of a form writes the bytes of encode() to a new file")
    func write() throws {
        let (form, files, text) = try filled()
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("body")
        try form.writeEncodedData(to: url)
        #expect(try Data(contentsOf: url) == Data(text.utf8))
        withExtendedLifetime(files) {}
    }

    @Test("a request's body has the bytes that encode() of its form returns")
    func body() async throws {
        let (form, files, text) = try filled()
        let reader = try form.body.open()
        #expect(reader.length == Int64(text.utf8.count))
        #expect(reader.isSynchronous)
        let read = await reader.rest()
        #expect(read.error == nil)
        #expect(read.bytes == Data(text.utf8))
        // The streams have been read.
        #expect(openingError(try form.body) == RequestBodyError(.alreadyRead, part: "stream"))
        withExtendedLifetime(files) {}
    }

    @Test("fact 56: the boundary and the content type of a form match the contract")
    func contentType() {
        let form = RequestMultipartFormData()
        #expect(form.boundary.wholeMatch(of: /moya\.boundary\.[0-9a-f]{16}/) != nil)
        #expect(form.contentType == "multipart/form-data; boundary=\(form.boundary)")
        #expect(RequestMultipartFormData().boundary != form.boundary)
        let own = RequestMultipartFormData(fileManager: .default, boundary: "own")
        #expect(own.contentType == "multipart/form-data; boundary=own")
        own.contentType = "multipart/mixed; boundary=own"
        #expect(own.contentType == "multipart/mixed; boundary=own")
        #expect(RequestMultipartFormData.encodingMemoryThreshold == 10_000_000)
        #expect(own.contentLength == 0)
    }

    @Test("fact 57: a file whose name has no extension fails when the form is encoded, and the error names the part")
    func noFileName() throws {
        let folder = try TemporaryFolder()
        let urls = ["file:///", "file:///tmp/README", "file:///tmp/", "file:///tmp/.hidden"].compactMap {
            URL(string: $0)
        }
        #expect(urls.count == 4)
        for url in urls {
            let form = RequestMultipartFormData()
            form.append(Data(), withName: "first")
            form.append(url, withName: "second")
            let error = MultipartError.noFileName(part: "second", file: url)
            #expect(throws: error) { try form.encode() }
            #expect(throws: error) { try form.body }
            let output = folder.url.appendingPathComponent("out")
            #expect(throws: error) { try form.writeEncodedData(to: output) }
            #expect(!FileManager.default.fileExists(atPath: output.path))
        }
    }

    @Test("a part with an async sequence cannot be encoded synchronously, and the streams beside it are not consumed")
    func asynchronous() async throws {
        let form = RequestMultipartFormData()
        form.append(InputStream(data: .pattern(10)), withLength: 10, name: "s", fileName: "", mimeType: "")
        form.append(.sequence(elements([Data.pattern(10)]), length: 10), withName: "later")
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("body")
        let error = RequestBodyError(.asynchronous, part: "later")
        #expect(throws: error) { try form.encode() }
        #expect(throws: error) { try form.writeEncodedData(to: url) }
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(form.contentLength == 20)
        #expect(try await form.body.open().rest().error == nil)
    }

    @Test(
        "encoding a form does not overwrite existing files, a failure to write is an error, and streams are not consumed"
    )
    func notWritable() throws {
        let existing = try TemporaryFile(Data("old".utf8))
        let folder = try TemporaryFolder()
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(
            at: link,
            withDestinationURL: folder.url.appendingPathComponent("nowhere")
        )
        let form = RequestMultipartFormData()
        form.append(InputStream(data: .pattern(10)), withLength: 10, name: "s", fileName: "", mimeType: "")
        let web = try #require(URL(string: "https://example.com/x"))
        let absent = folder.url.appendingPathComponent("absent/x")
        let rows: [(URL, MultipartError)] = [
            (existing.url, .fileExists(existing.url)), (folder.url, .fileExists(folder.url)),
            (link, .fileExists(link)), (web, .notAFileURL(web)), (absent, .notWritable(absent, code: ENOENT)),
        ]
        for (url, error) in rows { #expect(throws: error) { try form.writeEncodedData(to: url) } }
        #expect(try Data(contentsOf: existing.url) == Data("old".utf8))
        #expect(try form.encode().count > 10)
    }

    @Test("a failure while a form is written leaves no file and no open descriptor")
    func noHalfFile() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("body")
        let form = RequestMultipartFormData()
        form.append(.pattern(300_000), withName: "large")
        form.append(InputStream(data: .pattern(300_000)), withLength: 300_001, name: "s", fileName: "", mimeType: "")
        #expect(throws: RequestBodyError(.tooShort(declared: 300_001, found: 300_000), part: "s")) {
            try form.writeEncodedData(to: url)
        }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    #if os(Linux)
    @Test("a full disk fails the encoding of a form, and the existing file is not removed")
    func fullDisk() throws {
        let form = RequestMultipartFormData()
        form.append(.pattern(10), withName: "a")
        let full = URL(fileURLWithPath: "/dev/full")
        guard FileManager.default.fileExists(atPath: full.path) else { return }
        #expect(throws: MultipartError.fileExists(full)) { try form.writeEncodedData(to: full) }
        #expect(FileManager.default.fileExists(atPath: full.path))
    }
    #endif

    @Test("invalid boundaries, names and headers of a form cause an error when the body is created")
    func invalid() {
        let form = RequestMultipartFormData(boundary: "a\r\nb")
        form.append(Data(), withName: "a")
        #expect(throws: MultipartError.invalidBoundary("a\r\nb")) { try form.encode() }
        let other = RequestMultipartFormData()
        other.append(Data(), withName: "a", mimeType: "a\r\nb")
        #expect(throws: MultipartError.invalidMIMEType(part: "a")) { try other.encode() }
    }

    @Test("declared lengths of parts that overflow are an error, not a trap")
    func lengths() {
        let form = RequestMultipartFormData()
        for _ in 0..<3 {
            form.append(InputStream(data: Data()), withLength: .max, name: "s", fileName: "", mimeType: "")
        }
        #expect(form.contentLength == .max)
        #expect(throws: RequestBodyError(.lengthOverflow, part: "s")) { try form.encode() }
    }

    @Test("RequestMultipartFormData can be subclassed")
    func subclass() throws {
        final class Counting: RequestMultipartFormData {
            var encodings = 0
            override func encode() throws -> Data {
                encodings += 1
                return try super.encode()
            }
        }
        let form = Counting(boundary: "b")
        #expect(try form.encode() == Data("--b--\r\n".utf8))
        #expect(form.encodings == 1)
    }
}
