import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A request body may fail", .timeLimit(.minutes(5)))
struct FailingBodyTests {
    /// A body that fails, and its expected error.
    struct Failure: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var reason: RequestBodyError.Reason
        var isSequence = false
        var body: @Sendable (TemporaryFile) -> HTTPBody
    }

    struct Broken: Error {}

    static let start = Pattern().bytes(200_000)

    // MARK: Failures before sending

    static let unsendable: [Failure] = [
        Failure(testDescription: "missing file", reason: .missing) { .file($0.url.appendingPathExtension("no")) },
        Failure(testDescription: "directory", reason: .isDirectory) { .file($0.url.deletingLastPathComponent()) },
        Failure(testDescription: "no file URL", reason: .notAFileURL) { _ in
            URL(string: "https://example.com/a").map { .file($0) } ?? .data(Data())
        },
        Failure(testDescription: "device", reason: .notARegularFile) { _ in .file(URL(fileURLWithPath: "/dev/null")) },
        Failure(testDescription: "missing file after bytes", reason: .missing) {
            HTTPBody(segments: [.bytes(start), BodySegment(.file($0.url.appendingPathExtension("no")))])
        },
        Failure(testDescription: "stream that was read", reason: .alreadyRead) { _ in
            let stream = InputStream(data: start)
            stream.open()
            return .stream(stream)
        },
        Failure(testDescription: "lengths beyond counting", reason: .lengthOverflow) { _ in
            let stream = InputStream(data: start)
            return HTTPBody(segments: [
                .bytes(start), BodySegment(.stream(BodyStream(stream, length: .max))),
            ])
        },
    ]

    @Test("a request body that fails before sending causes no request", arguments: unsendable, TransportKind.allCases)
    func refused(_ failure: Failure, kind: TransportKind) async throws {
        let file = try TemporaryFile(Self.start)
        try await kind.withMisbehavingServer { transport, server in
            let request = TransportRequest(method: .post, url: server.url(.echoes), body: failure.body(file))
            let error = await #expect(throws: RequestBodyError.self) { try await transport.send(request) }
            #expect(error?.reason == failure.reason)
            // The server receives the next request first.
            _ = try await transport.send(TransportRequest(method: .get, url: server.url()))
            #expect(await server.next() == .request(path: "/none"))
        }
    }

    @Test("a request body that can be read only once is not sent again", arguments: TransportKind.allCases)
    func alreadyRead(kind: TransportKind) async throws {
        let bodies: [HTTPBody] = [
            .stream(InputStream(data: Data("a".utf8))),
            .sequence(elements([Data("a".utf8)])),
        ]
        try await kind.withMisbehavingServer { transport, server in
            for body in kind.sendsSequences ? bodies : [bodies[0]] {
                let request = TransportRequest(method: .post, url: server.url(), body: body)
                _ = try await transport.send(request)
                let error = await #expect(throws: RequestBodyError.self) { try await transport.send(request) }
                #expect(error?.reason == .alreadyRead)
            }
        }
    }

    // MARK: Failures during sending

    static let breaking: [Failure] = [
        Failure(testDescription: "file that shrinks", reason: .sizeChanged(expected: 200_000, found: 100_000)) { file in
            changing(file) { try? $0.truncate(at: 100_000) }
        },
        Failure(testDescription: "file that grows", reason: .sizeChanged(expected: 200_000, found: 200_001)) { file in
            changing(file) { try? $0.append(Data([1])) }
        },
        Failure(testDescription: "short stream", reason: .tooShort(declared: 300_000, found: 200_000)) { _ in
            .stream(StubStream(chunks: [start]), length: 300_000)
        },
        Failure(testDescription: "empty stream", reason: .tooShort(declared: 10, found: 0)) { _ in
            .stream(StubStream(chunks: []), length: 10)
        },
        Failure(testDescription: "long stream", reason: .tooLong(declared: 100_000)) { _ in
            .stream(StubStream(chunks: [start]), length: 100_000)
        },
        Failure(testDescription: "failing stream", reason: .failed) { _ in
            .stream(StubStream(chunks: [start], end: -1, failure: CocoaError(.fileReadCorruptFile)))
        },
        Failure(testDescription: "failing stream of declared length", reason: .failed) { _ in
            .stream(StubStream(chunks: [start], end: -1, failure: CocoaError(.fileReadCorruptFile)), length: 300_000)
        },
        Failure(testDescription: "stream that fails at once", reason: .failed) { _ in
            .stream(StubStream(chunks: [], end: -1, failure: CocoaError(.fileReadCorruptFile)))
        },
        Failure(testDescription: "failing stream in gzip", reason: .failed) { _ in
            .stream(StubStream(chunks: [start], end: -1, failure: CocoaError(.fileReadCorruptFile))).gzipped()
        },
        Failure(testDescription: "failing sequence", reason: .failed, isSequence: true) { _ in
            .sequence(elements(start.chunks(of: 10_000), then: Broken()))
        },
        Failure(testDescription: "failing sequence of declared length", reason: .failed, isSequence: true) { _ in
            .sequence(elements(start.chunks(of: 10_000), then: Broken()), length: 300_000)
        },
        Failure(testDescription: "sequence that fails at once", reason: .failed, isSequence: true) { _ in
            .sequence(elements([Data](), then: Broken()))
        },
        Failure(
            testDescription: "short sequence",
            reason: .tooShort(declared: 200_001, found: 200_000),
            isSequence: true
        ) { _ in
            .sequence(elements([start]), length: 200_001)
        },
        Failure(testDescription: "long sequence", reason: .tooLong(declared: 199_999), isSequence: true) { _ in
            .sequence(elements(start.chunks(of: 50_000)), length: 199_999)
        },
    ]

    /// Returns a body of a file, before which a stream changes the file after the body has been opened.
    private static func changing(_ file: TemporaryFile, _ change: @escaping (TemporaryFile) -> Void) -> HTTPBody {
        var isFirst = true
        let stream = StubStream { _, _ in
            if isFirst { change(file) }
            isFirst = false
            return 0
        }
        return HTTPBody(segments: [
            .bytes(start), BodySegment(.stream(BodyStream(stream, length: 0))), BodySegment(.file(file.url)),
        ])
    }

    @Test(
        "a request body that fails while it is sent never looks complete to the server",
        arguments: breaking,
        TransportKind.allCases
    )
    func broken(_ failure: Failure, kind: TransportKind) async throws {
        guard !failure.isSequence || kind.sendsSequences else { return }
        let file = try TemporaryFile(Self.start)
        try await kind.withMisbehavingServer { transport, server in
            let request = TransportRequest(method: .post, url: server.url(.echoes), body: failure.body(file))
            let error = await #expect(throws: RequestBodyError.self) { try await transport.send(request) }
            #expect(error?.reason == failure.reason)
            var seen: [MisbehavingServer.Event] = []
            for await event in server.events {
                seen.append(event)
                if case .closed = event { break }
            }
            #expect(!seen.contains(.request(path: "/echoes")))
            // The transport stays usable.
            let next = try await transport.send(TransportRequest(method: .get, url: server.url())).collected()
            #expect(next == Data("ok".utf8))
        }
    }

    @Test("the error of a failed request body has the body's cause", arguments: TransportKind.allCases)
    func cause(kind: TransportKind) async throws {
        try await kind.withMisbehavingServer { transport, server in
            let stream = StubStream(chunks: [Self.start], end: -1, failure: CocoaError(.fileReadCorruptFile))
            let part = MultipartBody.Part(name: "photo", body: .stream(stream))
            let body = try MultipartBody(parts: [part]).body()
            let error = await #expect(throws: RequestBodyError.self) {
                try await Session(transport: transport).data(for: post(to: server.url(.echoes)), body: body)
            }
            #expect(error?.part == "photo")
            #expect((error?.underlyingError as? CocoaError)?.code == .fileReadCorruptFile)
        }
    }

    private func post(to url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        return request
    }
}
