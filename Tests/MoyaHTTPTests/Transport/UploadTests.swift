import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Request bodies are framed correctly on every transport")
struct UploadTests {
    /// A kind of body, the bytes that it sends, and whether its length is known in advance.
    struct Upload: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var body: @Sendable (URL) -> HTTPBody
        var bytes: Data
        var isLengthKnown = true
        var isSequence = false
    }

    static let bytes = Pattern().bytes(300_001)

    static let uploads: [Upload] = [
        Upload(testDescription: "bytes", body: { _ in .data(bytes) }, bytes: bytes),
        Upload(testDescription: "no bytes", body: { _ in .data(Data()) }, bytes: Data()),
        Upload(testDescription: "one byte", body: { _ in .data(Data([0])) }, bytes: Data([0])),
        Upload(testDescription: "file", body: { .file($0) }, bytes: bytes),
        Upload(
            testDescription: "stream of known length",
            body: { _ in .stream(InputStream(data: bytes), length: Int64(bytes.count)) },
            bytes: bytes
        ),
        Upload(
            testDescription: "stream of unknown length",
            body: { _ in .stream(InputStream(data: bytes)) },
            bytes: bytes,
            isLengthKnown: false
        ),
        Upload(
            testDescription: "empty stream",
            body: { _ in .stream(InputStream(data: Data()), length: 0) },
            bytes: Data()
        ),
        Upload(
            testDescription: "empty stream of unknown length",
            body: { _ in .stream(InputStream(data: Data())) },
            bytes: Data(),
            isLengthKnown: false
        ),
        Upload(
            testDescription: "sequence of known length",
            body: { _ in .sequence(elements(bytes.chunks(of: 1_000)), length: Int64(bytes.count)) },
            bytes: bytes,
            isSequence: true
        ),
        Upload(
            testDescription: "sequence of unknown length",
            body: { _ in .sequence(elements(bytes.chunks(of: 100_000))) },
            bytes: bytes,
            isLengthKnown: false,
            isSequence: true
        ),
        Upload(
            testDescription: "empty sequence",
            body: { _ in .sequence(elements([Data]())) },
            bytes: Data(),
            isLengthKnown: false,
            isSequence: true
        ),
        Upload(
            testDescription: "several segments",
            body: { file in
                HTTPBody(segments: [.bytes(Data("a".utf8)), BodySegment(.file(file)), .bytes(Data("z".utf8))])
            },
            bytes: Data("a".utf8) + bytes + Data("z".utf8)
        ),
    ]

    @Test(
        "every kind of request body arrives unchanged with the framing of its length",
        arguments: uploads,
        TransportKind.allCases
    )
    func upload(_ upload: Upload, kind: TransportKind) async throws {
        let file = try TemporaryFile(Self.bytes)
        let server = try await ReactingServer()
        try await kind.withTransport { transport in
            let request = TransportRequest(
                method: .post,
                url: server.url("/to?q=a%20b"),
                headers: [.contentType: "application/octet-stream", .expires: "0"],
                body: upload.body(file.url)
            )
            guard !upload.isSequence || kind.sendsSequences else {
                await #expect(throws: RequestValidationError.bodySequenceNotSupported) {
                    try await transport.send(request)
                }
                #expect(server.requests.isEmpty)
                return
            }
            let response = try await transport.send(request).collected()
            #expect(response == Data("ok".utf8))
            let recorded = try #require(server.requests.first)
            let isCounted = upload.isLengthKnown && (kind.declaresLengths || request.body?.data != nil)
            let framing = isCounted ? "content-length: \(upload.bytes.count)" : "transfer-encoding: chunked"
            #expect(recorded.head.method == "POST")
            #expect(recorded.head.target == "/to?q=a%20b")
            #expect(
                recorded.head.ownFields
                    == [framing, "content-type: application/octet-stream", "expires: 0"].sorted()
            )
            #expect(recorded.body == upload.bytes)
        }
        await server.shutDown()
    }

    @Test("a body arrives with every method that may have one", arguments: TransportKind.allCases)
    func methods(kind: TransportKind) async throws {
        let file = try TemporaryFile(Data("text".utf8))
        let server = try await ReactingServer()
        try await kind.withTransport { transport in
            let methods: [HTTPMethod] = [.post, .put, .patch, .delete, .options, HTTPMethod(rawValue: "PROPFIND")]
            for method in methods {
                for body: HTTPBody in [.data(Data("text".utf8)), .file(file.url)] {
                    _ = try await transport.send(TransportRequest(method: method, url: server.url(), body: body))
                }
            }
            let requests = server.requests
            #expect(requests.map(\.head.method) == methods.flatMap { [$0.rawValue, $0.rawValue] })
            #expect(Set(requests.map(\.body)) == [Data("text".utf8)])
        }
        await server.shutDown()
    }

    @Test(
        "a request without a body declares the length 0 if its method usually has a body",
        arguments: TransportKind.allCases
    )
    func noBody(kind: TransportKind) async throws {
        let server = try await ReactingServer()
        try await kind.withTransport { transport in
            for method: HTTPMethod in [.post, .put, .patch] {
                _ = try await transport.send(TransportRequest(method: method, url: server.url()))
            }
            let requests = server.requests
            // RFC 9110, section 8.6.
            #expect(requests.map { $0.head["content-length"] } == ["0", "0", "0"])
            #expect(Set(requests.map(\.body)) == [Data()])
        }
        await server.shutDown()
    }

    @Test("the parts of a multipart body arrive in order, including files", arguments: TransportKind.allCases)
    func multipart(kind: TransportKind) async throws {
        let file = try TemporaryFile(Self.bytes, name: "photo.png")
        let form = MultipartBody(
            boundary: "b",
            parts: [
                MultipartBody.Part(name: "title", body: .data(Data("A \"title\"".utf8))),
                try MultipartBody.Part(name: "photo", file: file.url),
                MultipartBody.Part(name: "more", body: .stream(InputStream(data: Data("stream".utf8)))),
            ]
        )
        var expected = Data("--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nA \"title\"\r\n".utf8)
        expected += Data("--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"photo.png\"\r\n".utf8)
        expected += Data("Content-Type: image/png\r\n\r\n".utf8) + Self.bytes
        expected += Data("\r\n--b\r\nContent-Disposition: form-data; name=\"more\"\r\n\r\nstream\r\n--b--\r\n".utf8)
        let server = try await ReactingServer()
        try await kind.withTransport { transport in
            var request = TransportRequest(method: .post, url: server.url(), body: try form.body())
            request.headers[.contentType] = form.contentType
            _ = try await transport.send(request)
            let recorded = try #require(server.requests.first)
            #expect(recorded.head["content-type"] == "multipart/form-data; boundary=b")
            #expect(recorded.body == expected)
        }
        await server.shutDown()
    }

    @Test("a gzip request body is chunked and has the encoder's bytes", arguments: TransportKind.allCases)
    func gzip(kind: TransportKind) async throws {
        let server = try await ReactingServer()
        try await kind.withTransport { transport in
            let request = TransportRequest(
                method: .put,
                url: server.url(),
                headers: [.contentEncoding: "gzip"],
                body: .data(Self.bytes).gzipped()
            )
            _ = try await transport.send(request)
            let recorded = try #require(server.requests.first)
            #expect(recorded.head.ownFields == ["content-encoding: gzip", "transfer-encoding: chunked"])
            #expect(recorded.body == (try GzipEncoder.encode(Self.bytes)))
        }
        await server.shutDown()
    }

    @Test("a session sends the stream of a URLRequest or the separate body", arguments: TransportKind.allCases)
    func session(kind: TransportKind) async throws {
        let server = try await ReactingServer()
        try await kind.withTransport { transport in
            let session = Session(transport: transport)
            var request = URLRequest(url: server.url())
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data("of the request".utf8))
            _ = try await session.data(for: request)
            request.httpBodyStream = InputStream(data: Data("not this".utf8))
            _ = try await session.data(for: request, body: .data(Data("beside it".utf8)))
            request.httpBody = Data("nor this".utf8)
            _ = try await session.data(for: request, body: .stream(InputStream(data: Data("as a stream".utf8))))
            #expect(
                server.requests.map { String(decoding: $0.body, as: UTF8.self) }
                    == ["of the request", "beside it", "as a stream"]
            )
        }
        await server.shutDown()
    }
}
