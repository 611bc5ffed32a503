import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("facts 7 to 9: endpoints are compared by their streams, and not by download destinations")
struct EndpointIdentityTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let first: Endpoint
        let second: Endpoint
        let isEqual: Bool

        init(_ description: String, _ first: HTTPTask, _ second: HTTPTask, isEqual: Bool) {
            self.init(description, .sending(first), .sending(second), isEqual: isEqual)
        }

        init(_ description: String, _ first: Endpoint, _ second: Endpoint, isEqual: Bool) {
            testDescription = description
            self.first = first
            self.second = second
            self.isEqual = isEqual
        }
    }

    private static let file = URL(fileURLWithPath: "/f")
    private static let other = URL(fileURLWithPath: "/g")

    private static func form(_ text: String) -> [MultipartFormData] {
        [MultipartFormData(provider: .data(Data(text.utf8)), name: "n")]
    }

    private static func to(_ file: URL) -> DownloadDestination { { _, _ in (file, []) } }

    private static func down(_ parameters: [String: any Sendable], to file: URL) -> HTTPTask {
        .downloadParameters(parameters: parameters, encoding: URLEncoding.default, destination: to(file))
    }

    private static let bytes = HTTPBody.data(Data("x".utf8))
    private static let once = HTTPBody.sequence(AsyncStream<Data> { $0.finish() })

    static let uploads = [
        Row("one file", .uploadFile(file), .uploadFile(file), isEqual: true),
        Row("two files", .uploadFile(file), .uploadFile(other), isEqual: false),
        Row("a file and nothing", .uploadFile(file), .requestPlain, isEqual: false),
        Row("one form", .uploadMultipart(form("a")), .uploadMultipart(form("a")), isEqual: true),
        Row("two forms", .uploadMultipart(form("a")), .uploadMultipart(form("b")), isEqual: false),
        Row(
            "a boundary and another",
            .uploadMultipart(form("a"), boundary: "B"),
            .uploadMultipart(form("a"), boundary: "C"),
            isEqual: false
        ),
        Row(
            "one boundary",
            .uploadMultipart(form("a"), boundary: "B"),
            .uploadMultipart(form("a"), boundary: "B"),
            isEqual: true
        ),
        Row(
            "a boundary and none",
            .uploadMultipart(form("a"), boundary: "B"),
            .uploadMultipart(form("a")),
            isEqual: false
        ),
        Row(
            "one boundary, two forms",
            .uploadMultipart(form("a"), boundary: "B"),
            .uploadMultipart(form("b"), boundary: "B"),
            isEqual: false
        ),
        Row(
            "one form, one query",
            .uploadCompositeMultipart(form("a"), urlParameters: ["k": 1]),
            .uploadCompositeMultipart(form("a"), urlParameters: ["k": 1]),
            isEqual: true
        ),
        Row(
            "one form, two queries",
            .uploadCompositeMultipart(form("a"), urlParameters: ["k": 1]),
            .uploadCompositeMultipart(form("a"), urlParameters: ["k": 2]),
            isEqual: false
        ),
        Row(
            "two forms, one query",
            .uploadCompositeMultipart(form("a"), urlParameters: ["k": 1]),
            .uploadCompositeMultipart(form("b"), urlParameters: ["k": 1]),
            isEqual: false
        ),
    ]

    static let bodies = [
        Row("one body", .uploadBody(bytes), .uploadBody(.data(Data("x".utf8))), isEqual: true),
        Row("two bodies", .uploadBody(bytes), .uploadBody(.data(Data("y".utf8))), isEqual: false),
        Row(
            "two types",
            .uploadBody(bytes, contentType: "a/b"),
            .uploadBody(bytes, contentType: "a/c"),
            isEqual: false
        ),
        Row("a body and nothing", .uploadBody(bytes), .requestPlain, isEqual: false),
        Row("one sequence", .uploadBody(once), .uploadBody(once), isEqual: true),
        Row(
            "two sequences",
            .uploadBody(once),
            .uploadBody(.sequence(AsyncStream<Data> { $0.finish() })),
            isEqual: false
        ),
        Row("in gzip and not", .gzipped(.uploadBody(bytes)), .uploadBody(bytes), isEqual: false),
        Row("one in gzip", .gzipped(.uploadFile(file)), .gzipped(.uploadFile(file)), isEqual: true),
        Row("two in gzip", .gzipped(.uploadFile(file)), .gzipped(.uploadFile(other)), isEqual: false),
        Row("twice in gzip", .gzipped(.gzipped(.uploadFile(file))), .gzipped(.uploadFile(file)), isEqual: true),
        Row("data in gzip", .gzipped(.requestData(Data("x".utf8))), .requestData(Data("x".utf8)), isEqual: false),
        Row("nothing in gzip", .gzipped(.requestPlain), .requestPlain, isEqual: true),
        Row(
            "one value as a form",
            .requestFormEncodable(["a": 1]),
            .requestParameters(parameters: ["a": 1], encoding: URLEncoding.default),
            isEqual: true
        ),
    ]

    static let downloads = [
        Row("two places", .download(to: file), .download(to: other), isEqual: true),
        Row("a download and a request", .download(to: file), .requestPlain, isEqual: true),
        Row("two places, one query", down(["k": 1], to: file), down(["k": 1], to: other), isEqual: true),
        Row("one place, two queries", down(["k": 1], to: file), down(["k": 2], to: file), isEqual: false),
    ]

    static let failures = [
        Row(
            "no URL, one file",
            .sending(.uploadFile(file), url: "no url"),
            .sending(.uploadFile(file), url: "no url"),
            isEqual: true
        ),
        Row(
            "no URL, two files",
            .sending(.uploadFile(file), url: "no url"),
            .sending(.uploadFile(other), url: "no url"),
            isEqual: false
        ),
        Row(
            "no URL, two places",
            .sending(.download(to: file), url: "no url"),
            .sending(.download(to: other), url: "no url"),
            isEqual: true
        ),
        Row(
            "one that can be made and one that can't",
            .sending(.requestJSONEncodable(Double.nan)),
            .sending(.requestPlain),
            isEqual: false
        ),
    ]

    @Test(
        "the equality of endpoints is symmetric, and equal endpoints have equal hashes",
        arguments: uploads + bodies + downloads + failures
    )
    func equality(row: Row) {
        #expect((row.first == row.second) == row.isEqual)
        #expect((row.second == row.first) == row.isEqual)
        #expect(Set([row.first, row.second]).count == (row.isEqual ? 1 : 2))
    }

    @Test("downloads do not share an exchange, because each has its destination", arguments: [false, true])
    func downloadsInFlight(isStubbed: Bool) async throws {
        let folder = try TemporaryFolder()
        let bothSent = Promise<Void>()
        let sent = Recorder<Void>()
        let provider = MoyaProvider<TaskTarget>(
            stubClosure: isStubbed ? MoyaProvider.immediatelyStub : MoyaProvider.neverStub,
            session: Session(
                FakeTransport { _ in
                    sent.add(())
                    if sent.values.count == 2 { bothSent.fulfill(()) }
                    await bothSent.wait()
                    return TransportResponse(status: 200, body: BodySource.body(["content"]))
                }
            ),
            trackInflights: true
        )
        let results = [Promise<Result<Response, MoyaError>>(), Promise<Result<Response, MoyaError>>()]
        let queue = DispatchQueue(label: "results")
        queue.suspend()
        for (name, result) in zip(["first", "second"], results) {
            let target = TaskTarget(method: .get, task: .download(to: folder.file(name)))
            provider.request(target, callbackQueue: queue) { result.fulfill($0) }
        }
        // Fact 8: the endpoints are equal.
        #expect(provider.inflightRequests.values.map(\.count) == [2])
        queue.resume()
        // If one request wrongly waits for the other one, the test fails and does not wait forever.
        Task {
            try await Task.sleep(for: .seconds(60))
            bothSent.fulfill(())
        }
        for result in results { #expect(await result.wait().response?.statusCode == 200) }
        while !provider.inflightRequests.isEmpty { await Task.yield() }
        guard !isStubbed else { return }
        #expect(sent.values.count == 2)
        #expect(try folder.names.sorted() == ["first", "second"])
        for name in try folder.names { #expect(try folder.text(name) == "content") }
    }

    @Test("equal concurrent uploads share one exchange, and their body is read once")
    func sharedUpload() async {
        let go = Promise<Void>()
        let bodies = Recorder<Data>()
        let provider = MoyaProvider<TaskTarget>(
            session: Session(
                FakeTransport.reading { _, body in
                    bodies.add(body)
                    await go.wait()
                    return TransportResponse(status: 200)
                }
            ),
            trackInflights: true
        )
        let body = HTTPBody.stream(InputStream(data: Data("once".utf8)), length: 4)
        let results = [Promise<Result<Response, MoyaError>>(), Promise<Result<Response, MoyaError>>()]
        for result in results {
            provider.request(TaskTarget(task: .uploadBody(body)), callbackQueue: .global()) { result.fulfill($0) }
        }
        go.fulfill(())
        for result in results { #expect(await result.wait().response?.statusCode == 200) }
        #expect(bodies.values == [Data("once".utf8)])
    }
}
