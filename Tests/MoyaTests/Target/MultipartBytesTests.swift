import Foundation
import Moya
import TestSupport
import Testing

@Suite("A multipart form sends the expected bytes")
struct MultipartBytesTests {
    private static let type = "content-type: multipart/form-data; boundary=B"

    private static func row(
        _ name: String,
        headers: [String: String]? = nil,
        body: String,
        isStreamed: Bool = false,
        parts: @escaping @Sendable (TemporaryFolder) throws -> [MultipartFormData]
    ) -> TaskRow {
        TaskRow(name, headers: headers, sent: [type], body: body, isStreamed: isStreamed) { folder in
            .uploadMultipart(try parts(folder), boundary: "B")
        }
    }

    private static func part(
        _ text: String,
        name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) -> MultipartFormData {
        MultipartFormData(provider: .data(Data(text.utf8)), name: name, fileName: fileName, mimeType: mimeType)
    }

    static let dataRows = [
        row(
            "fact 56: several parts, in order, CR LF around them",
            body: "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n2\r\n"
                + "--B\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n\r\n--B--\r\n"
        ) { _ in [part("1\r\n2", name: "a"), part("", name: "b")] },
        row(
            "fact 59: of a data part what is given, the disposition first",
            body: "--B\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f\"\r\n\r\n1\r\n"
                + "--B\r\nContent-Disposition: form-data; name=\"b\"\r\nContent-Type: text/plain\r\n\r\n2\r\n"
                + "--B\r\nContent-Disposition: form-data; name=\"c\"; filename=\"g\"\r\nContent-Type: a/b\r\n\r\n3\r\n--B--\r\n"
        ) { _ in
            [
                part("1", name: "a", fileName: "f"), part("2", name: "b", mimeType: "text/plain"),
                part("3", name: "c", fileName: "g", mimeType: "a/b"),
            ]
        },
        row(
            "fact 59: names are escaped as the WHATWG says",
            body:
                "--B\r\nContent-Disposition: form-data; name=\"a%22%0D%0Ab\"; filename=\"%22é%0A;%\"\r\n\r\n1\r\n--B--\r\n"
        ) { _ in [part("1", name: "a\"\r\nb", fileName: "\"é\n;%")] },
        row(
            "fact 55: the target's content type is replaced",
            headers: ["content-type": "text/plain"],
            body: "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B--\r\n"
        ) { _ in [part("1", name: "a")] },
    ]

    static let fileRows = [
        row(
            "fact 57: a file's name and type are the URL's",
            body:
                "--B\r\nContent-Disposition: form-data; name=\"a\"; filename=\"p.png\"\r\nContent-Type: image/png\r\n\r\n1\r\n"
                + "--B\r\nContent-Disposition: form-data; name=\"b\"; filename=\"p.unheard-of\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n2\r\n--B--\r\n",
            isStreamed: true
        ) { folder in
            [
                MultipartFormData(provider: .file(try folder.write("1", to: "p.png")), name: "a"),
                MultipartFormData(provider: .file(try folder.write("2", to: "p.unheard-of")), name: "b"),
            ]
        },
        row(
            "fact 57: name and type of one's own count together",
            body:
                "--B\r\nContent-Disposition: form-data; name=\"a\"; filename=\"x\"\r\nContent-Type: y/z\r\n\r\n1\r\n--B--\r\n",
            isStreamed: true
        ) { folder in
            let file = try folder.write("1", to: "no extension")
            return [MultipartFormData(provider: .file(file), name: "a", fileName: "x", mimeType: "y/z")]
        },
        row(
            "fact 57: one of them alone does not count",
            body:
                "--B\r\nContent-Disposition: form-data; name=\"a\"; filename=\"p.txt\"\r\nContent-Type: text/plain\r\n\r\n1\r\n"
                + "--B\r\nContent-Disposition: form-data; name=\"b\"; filename=\"p.txt\"\r\nContent-Type: text/plain\r\n\r\n1\r\n"
                + "--B--\r\n",
            isStreamed: true
        ) { folder in
            let file = try folder.write("1", to: "p.txt")
            return [
                MultipartFormData(provider: .file(file), name: "a", fileName: "x"),
                MultipartFormData(provider: .file(file), name: "b", mimeType: "y/z"),
            ]
        },
    ]

    static let streamRows = [
        row(
            "fact 58: of a stream part what is given",
            body: "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n12\r\n"
                + "--B\r\nContent-Disposition: form-data; name=\"b\"; filename=\"f\"\r\nContent-Type: a/b\r\n\r\n34\r\n--B--\r\n",
            isStreamed: true
        ) { _ in
            [
                MultipartFormData(provider: .stream(InputStream(data: Data("12".utf8)), 2), name: "a"),
                MultipartFormData(
                    provider: .stream(InputStream(data: Data("34".utf8)), 2),
                    name: "b",
                    fileName: "f",
                    mimeType: "a/b"
                ),
            ]
        },
        row(
            "a body is a part, too",
            body: "--B\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f\"\r\n\r\n12\r\n"
                + "--B\r\nContent-Disposition: form-data; name=\"b\"\r\nContent-Type: a/b\r\n\r\n34\r\n--B--\r\n",
            isStreamed: true
        ) { folder in
            [
                MultipartFormData(provider: .body(.data(Data("12".utf8))), name: "a", fileName: "f"),
                MultipartFormData(
                    provider: .body(.file(try folder.write("34", to: "p.png"))),
                    name: "b",
                    mimeType: "a/b"
                ),
            ]
        },
    ]

    @Test("facts 55, 56, 59: data parts of a form have the expected bytes", arguments: dataRows, TransportKind.allCases)
    func data(row: TaskRow, kind: TransportKind) async throws { try await row.expectBytes(on: kind) }

    @Test("facts 56, 57: file parts of a form have the expected bytes", arguments: fileRows, TransportKind.allCases)
    func files(row: TaskRow, kind: TransportKind) async throws { try await row.expectBytes(on: kind) }

    @Test(
        "facts 56, 58: stream parts and body parts of a form have the expected bytes",
        arguments: streamRows,
        TransportKind.allCases
    )
    func streams(row: TaskRow, kind: TransportKind) async throws { try await row.expectBytes(on: kind) }

    #if NIO && !canImport(Darwin)
    @Test("a form with a part of unknown length is chunked")
    func unknownLength() async throws {
        let server = try await EchoServer(.nio)
        for entryPoint in EntryPoint.allCases {
            let chunks = AsyncStream { end in
                for text in ["1", "2", "3"] { end.yield(Data(text.utf8)) }
                end.finish()
            }
            let part = MultipartFormData(provider: .body(.sequence(chunks)), name: "a")
            let sent = try await server.sent(.uploadMultipart([part], boundary: "B"), through: entryPoint)
            #expect(sent.headers == [Self.type, "transfer-encoding: chunked"])
            #expect(
                String(decoding: sent.body, as: UTF8.self)
                    == "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n123\r\n--B--\r\n"
            )
        }
        try await server.shutDown()
    }
    #endif

    @Test("a boundary that is not a token is quoted in the content type", arguments: EntryPoint.allCases)
    func quoted(entryPoint: EntryPoint) async throws {
        let server = try await EchoServer(.urlSession)
        let form = HTTPTask.uploadMultipart([Self.part("1", name: "a")], boundary: "a b")
        let sent = try await server.sent(form, through: entryPoint)
        #expect(sent.headers.contains("content-type: multipart/form-data; boundary=\"a b\""), "\(sent)")
        try await server.shutDown()
    }
}
