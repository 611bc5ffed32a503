import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A request body that cannot be read is an error through every entry point")
struct RequestBodyFailureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let task: @Sendable (TemporaryFolder) throws -> HTTPTask
        let expected: @Sendable (TemporaryFolder) -> RequestBodyError
        /// Whether the body is an async sequence, which URLSession on Linux cannot send.
        var needsAsync = false
    }

    private struct Broken: Error {}

    static let rows = [
        Row(testDescription: "a missing file", task: { .uploadFile($0.file("none")) }) {
            RequestBodyError(.missing, file: $0.file("none"))
        },
        Row(testDescription: "a missing file in gzip", task: { .gzipped(.uploadFile($0.file("none"))) }) {
            RequestBodyError(.missing, file: $0.file("none"))
        },
        Row(testDescription: "a folder", task: { .uploadBody(.file($0.url)) }) {
            RequestBodyError(.isDirectory, file: $0.url.absoluteURL)
        },
        Row(
            testDescription: "no file URL",
            task: { _ in .uploadFile(try #require(URL(string: "http://h/file"))) },
            expected: { _ in RequestBodyError(.notAFileURL, file: URL(string: "http://h/file")) }
        ),
        Row(
            testDescription: "a missing file in a form",
            task: {
                .uploadMultipart([
                    MultipartFormData(provider: .data(Data("v".utf8)), name: "a"),
                    MultipartFormData(provider: .file($0.file("none.png")), name: "b"),
                ])
            },
            expected: { RequestBodyError(.missing, part: "b", file: $0.file("none.png")) }
        ),
        Row(
            testDescription: "a stream that ends early",
            task: { _ in .uploadBody(.stream(InputStream(data: Data("12".utf8)), length: 3)) },
            expected: { _ in RequestBodyError(.tooShort(declared: 3, found: 2)) }
        ),
        Row(
            testDescription: "a stream in a form that goes on",
            task: { _ in
                let stream = InputStream(data: Data("12".utf8))
                return .uploadMultipart([MultipartFormData(provider: .stream(stream, 1), name: "s")])
            },
            expected: { _ in RequestBodyError(.tooLong(declared: 1), part: "s") }
        ),
        Row(
            testDescription: "a sequence that throws",
            task: { _ in
                .uploadBody(
                    .sequence(
                        AsyncThrowingStream<Data, any Error> { end in
                            end.yield(Data("1".utf8))
                            end.finish(throwing: Broken())
                        }
                    )
                )
            },
            expected: { _ in RequestBodyError(.failed, underlyingError: Broken()) },
            needsAsync: true
        ),
    ]

    @Test(
        "a body that cannot be read causes a RequestBodyError, and all hooks run once",
        arguments: rows,
        TransportKind.allCases
    )
    func failure(row: Row, kind: TransportKind) async throws {
        #if !canImport(Darwin)
        if row.needsAsync, kind == .urlSession { return }
        #endif
        let server = try await EchoServer(kind)
        for entryPoint in EntryPoint.allCases {
            let calls = Recorder<String>()
            let provider = MoyaProvider<TaskTarget>(
                session: .withoutHeaders(server.transport),
                plugins: [RecordingPlugin(calls: calls)]
            )
            let folder = try TemporaryFolder()
            let result = await entryPoint.request(try server.target(row.task(folder)), from: provider)
            #expect(result.underlying as? RequestBodyError == row.expected(folder), "\(result)")
            if case .failure(let error) = result { #expect(error.response == nil) }
            #expect(calls.values == ["prepare", "willSend", "didReceive", "process"])
            // The next request is not affected.
            let next = await entryPoint.request(try server.target(.requestPlain), from: provider)
            #expect(next.response?.statusCode == 200, "\(next)")
        }
        try await server.shutDown()
    }

    @Test(
        "a body that is not repeatable is an error in a second request",
        arguments: TransportKind.allCases,
        EntryPoint.allCases
    )
    func twice(kind: TransportKind, entryPoint: EntryPoint) async throws {
        let server = try await EchoServer(kind)
        let once = HTTPBody.stream(InputStream(data: Data("12".utf8)), length: 2)
        #expect(try await server.sent(.uploadBody(once), through: entryPoint).body == Data("12".utf8))
        let again = await entryPoint.request(try server.target(.uploadBody(once)), from: server.provider)
        #expect(again.underlying as? RequestBodyError == RequestBodyError(.alreadyRead))
        let part = MultipartFormData(provider: .body(once), name: "p")
        let form = await entryPoint.request(try server.target(.uploadMultipart([part])), from: server.provider)
        #expect(form.underlying as? RequestBodyError == RequestBodyError(.alreadyRead, part: "p"))
        try await server.shutDown()
    }

    #if !canImport(Darwin)
    @Test("a body with an async sequence over URLSession on Linux is an error", arguments: EntryPoint.allCases)
    func sequence(entryPoint: EntryPoint) async throws {
        let server = try await EchoServer(.urlSession)
        let pieces = AsyncStream<Data> { $0.finish() }
        let result = await entryPoint.request(
            try server.target(.uploadBody(.sequence(pieces))),
            from: server.provider
        )
        #expect(result.underlying as? RequestValidationError == .bodySequenceNotSupported)
        try await server.shutDown()
    }
    #endif

    @Test("a GET with a body over URLSession is an error", arguments: EntryPoint.allCases)
    func getWithBody(entryPoint: EntryPoint) async throws {
        let server = try await EchoServer(.urlSession)
        for task in [HTTPTask.requestData(Data("x".utf8)), .uploadBody(.data(Data()))] {
            let result = await entryPoint.request(try server.target(task, method: .get), from: server.provider)
            #expect(result.underlying as? RequestValidationError == .bodyNotAllowed(method: "GET"))
        }
        try await server.shutDown()
    }
}
