import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaHTTPMessages

@Suite("uploadBody, gzipped and download(to:) send the expected bytes")
struct ExtendedTaskBytesTests {
    static let rows = [
        TaskRow("uploadBody of bytes", body: "12") { _ in .uploadBody(.data(Data("12".utf8))) },
        TaskRow("uploadBody of nothing", body: "") { _ in .uploadBody(.data(Data())) },
        TaskRow("uploadBody of a file, with a type", .put, sent: ["content-type: a/b"], body: "34", isStreamed: true) {
            folder in
            .uploadBody(.file(try folder.write("34", to: "f")), contentType: "a/b")
        },
        TaskRow(
            "uploadBody with a type of the target's",
            headers: ["content-type": "c/d"],
            sent: ["content-type: c/d"],
            body: "12"
        ) { _ in .uploadBody(.data(Data("12".utf8)), contentType: "a/b") },
        TaskRow("uploadBody of a stream", body: "56", isStreamed: true) { _ in
            .uploadBody(.stream(InputStream(data: Data("56".utf8)), length: 2))
        },
        TaskRow("download(to:)", .get) { folder in
            .download(to: folder.file("answer"), options: [.removePreviousFile, .createIntermediateDirectories])
        },
        TaskRow("gzipped requestPlain stays", .get) { _ in .gzipped(.requestPlain) },
        TaskRow("gzipped query stays", .get, query: "?a=1") { _ in
            .gzipped(.requestParameters(parameters: ["a": 1], encoding: URLEncoding.default))
        },
        TaskRow("gzipped download stays", .get) { folder in
            .gzipped(.download(to: folder.file("answer"), options: .removePreviousFile))
        },
    ]

    @Test("each extended task sends the expected bytes", arguments: rows, TransportKind.allCases)
    func bytes(row: TaskRow, kind: TransportKind) async throws { try await row.expectBytes(on: kind) }

    /// A gzip task and the request that a server receives: its headers without the framing, and the decoded body.
    struct Gzipped: Sendable, CustomTestStringConvertible {
        let name: String
        var headers: [String: String]?
        let sent: [String]
        let body: String
        /// Whether the length is known in advance.
        let isCounted: Bool
        let task: @Sendable (TemporaryFolder) throws -> HTTPTask

        var testDescription: String { name }
    }

    private static let gzip = "content-encoding: gzip"
    private static let form = "--B\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nv\r\n--B--\r\n"

    static let gzippedRows = [
        Gzipped(name: "data", sent: [gzip], body: "12", isCounted: true) { _ in
            .gzipped(.requestData(Data("12".utf8)))
        },
        Gzipped(name: "empty data", sent: [gzip], body: "", isCounted: true) { _ in .gzipped(.requestData(Data())) },
        Gzipped(name: "JSON", sent: [gzip, "content-type: application/json"], body: #"{"a":1}"#, isCounted: true) { _ in
            .gzipped(.requestJSONEncodable(["a": 1]))
        },
        Gzipped(
            name: "a form",
            sent: [gzip, "content-type: application/x-www-form-urlencoded; charset=utf-8"],
            body: "a=1",
            isCounted: true
        ) { _ in .gzipped(.requestParameters(parameters: ["a": 1], encoding: URLEncoding.default)) },
        Gzipped(name: "twice is once", sent: [gzip], body: "12", isCounted: true) { _ in
            .gzipped(.gzipped(.requestData(Data("12".utf8))))
        },
        Gzipped(
            name: "after another coding",
            headers: ["content-encoding": "br"],
            sent: ["content-encoding: br, gzip"],
            body: "12",
            isCounted: true
        ) { _ in .gzipped(.requestData(Data("12".utf8))) },
        Gzipped(name: "a file", sent: [gzip], body: "34", isCounted: false) { folder in
            .gzipped(.uploadFile(try folder.write("34", to: "f")))
        },
        Gzipped(name: "a body", sent: [gzip, "content-type: a/b"], body: "56", isCounted: false) { _ in
            .gzipped(.uploadBody(.stream(InputStream(data: Data("56".utf8))), contentType: "a/b"))
        },
        Gzipped(
            name: "a multipart form",
            sent: [gzip, "content-type: multipart/form-data; boundary=B"],
            body: form,
            isCounted: false
        ) { _ in
            let part = MultipartFormData(provider: .data(Data("v".utf8)), name: "n")
            return .gzipped(.uploadMultipart([part], boundary: "B"))
        },
    ]

    @Test(
        "a compressed body has its content coding, and a streamed body is chunked",
        arguments: gzippedRows,
        TransportKind.allCases
    )
    func gzipped(row: Gzipped, kind: TransportKind) async throws {
        let server = try await EchoServer(kind)
        for entryPoint in EntryPoint.allCases {
            let folder = try TemporaryFolder()
            let sent = try await server.sent(row.task(folder), headers: row.headers, through: entryPoint)
            let framing = row.isCounted ? "content-length: \(sent.body.count)" : "transfer-encoding: chunked"
            #expect(sent.headers == (row.sent + [framing]).sorted())
            #expect(String(decoding: try unpacked(sent.body), as: UTF8.self) == row.body)
        }
        try await server.shutDown()
    }

    #if NIO && !canImport(Darwin)
    @Test("an async sequence of known or unknown length sends the expected bytes")
    func sequence() async throws {
        let server = try await EchoServer(.nio)
        for length in [nil, Int64(4)] {
            for entryPoint in EntryPoint.allCases {
                let pieces = AsyncStream { end in
                    for text in ["12", "", "34"] { end.yield(Data(text.utf8)) }
                    end.finish()
                }
                let sent = try await server.sent(
                    .uploadBody(.sequence(pieces, length: length)),
                    through: entryPoint
                )
                #expect(sent.headers == [length == nil ? "transfer-encoding: chunked" : "content-length: 4"])
                #expect(sent.body == Data("1234".utf8))
            }
        }
        try await server.shutDown()
    }
    #endif

    private func unpacked(_ data: Data) throws -> Data {
        let inflater = try Inflater(.gzip)
        inflater.push(data)
        var text = Data()
        while let piece = try inflater.next() { text += piece }
        try inflater.finish()
        return text
    }
}
