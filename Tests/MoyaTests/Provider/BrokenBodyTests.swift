import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("The error of a truncated response body has the response", .timeLimit(.minutes(5)))
struct BrokenBodyTests {
    /// The writes of a server before it closes the connection.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status = "200 OK"
        var headers = ["Content-Length: 2000000"]
        /// The bytes of the body, one element for each write; the first one is sent with the head.
        var writes: [Data]
        /// The data that the response in the error has.
        var data: Data

        init(_ name: String, status: String = "200 OK", headers: [String]? = nil, writes: [Data], data: Data? = nil) {
            testDescription = name
            self.status = status
            self.headers = headers ?? self.headers
            self.writes = writes
            self.data = data ?? writes.reduce(Data(), +)
        }

        var head: Data {
            Data((["HTTP/1.1 \(status)", "X-Answer: a"] + headers + ["", ""]).joined(separator: "\r\n").utf8)
        }
    }

    private static func text(_ text: String) -> Data { Data(text.utf8) }
    private static func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }) }

    static let rows = [
        Row("nothing of it", writes: [Data()]),
        Row("a few bytes, with the head", writes: [text("0123456789")]),
        Row("a few bytes, after the head", writes: [Data(), text("01234"), text("56789")]),
        Row("a part in chunks", headers: chunked, writes: [text("5\r\n01234\r\nA\r\n56")], data: text("0123456")),
        Row("as long as is buffered", writes: [bytes(65_536)]),
        Row("more than is buffered", writes: [Data(), bytes(65_537), bytes(100_000)]),
        Row("an error's", status: "500 No", writes: [text("reas")]),
    ]

    private static let chunked = ["Transfer-Encoding: chunked"]

    /// Starts a server that responds as the row specifies, after it has received the whole request.
    private static func server(_ row: Row, stalls: Bool = false) async throws -> RawServer {
        try await RawServer { connection in
            guard try await connection.head() != nil else { return }
            _ = try await connection.body()
            try await connection.writer.write(row.head + (row.writes.first ?? Data()))
            for bytes in row.writes.dropFirst() { try await connection.writer.write(bytes) }
            if stalls { await connection.waitUntilClosed() }
        }
    }

    private func expectResponse(
        of row: Row,
        in result: Result<Response, MoyaError>,
        code: URLError.Code,
        isWhole: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard case .failure(.underlying(let error as URLError, let response?)) = result else {
            Issue.record("\(result)", sourceLocation: sourceLocation)
            return
        }
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect(response.statusCode == Int(row.status.prefix(3)), sourceLocation: sourceLocation)
        #expect(response.headers["X-Answer"] == "a", sourceLocation: sourceLocation)
        #expect(response.response?.value(forHTTPHeaderField: "X-Answer") == "a", sourceLocation: sourceLocation)
        #expect(response.request != nil, sourceLocation: sourceLocation)
        let hasData = isWhole ? response.data == row.data : row.data.starts(with: response.data)
        #expect(hasData, "\(response.data.count) of \(row.data.count) bytes", sourceLocation: sourceLocation)
    }

    @Test(
        "fact 43: the error of a truncated body has the response and the received part of the body",
        arguments: rows,
        TransportKind.allCases
    )
    func brokenOff(row: Row, kind: TransportKind) async throws {
        let server = try await Self.server(row)
        let transport = kind.make()
        let provider = MoyaProvider<TaskTarget>(session: Session(transport: transport))
        for entryPoint in EntryPoint.allCases {
            for type in [ValidationType.none, .successCodes] {
                let target = TaskTarget(
                    baseURL: server.url(),
                    method: .get,
                    task: .requestPlain,
                    validationType: type
                )
                let result = await entryPoint.request(target, from: provider)
                expectResponse(of: row, in: result, code: .networkConnectionLost)
            }
        }
        await transport.shutdown()
        await server.shutDown()
    }

    @Test(
        "fact 43: the errors of requests with progress that share an exchange have the response",
        arguments: rows,
        TransportKind.allCases
    )
    func watched(row: Row, kind: TransportKind) async throws {
        let server = try await Self.server(row)
        let transport = kind.make()
        let provider = MoyaProvider<TaskTarget>(session: Session(transport: transport), trackInflights: true)
        let target = TaskTarget(baseURL: server.url(), method: .get, task: .requestPlain)
        let results = (0..<2).map { _ in Promise<Result<Response, MoyaError>>() }
        for result in results {
            provider.request(
                target,
                callbackQueue: .global(),
                progress: { _ in },
                completion: { result.fulfill($0) }
            )
        }
        for result in results {
            expectResponse(of: row, in: await result.wait(), code: .networkConnectionLost)
        }
        await transport.shutdown()
        await server.shutDown()
    }

    @Test("fact 43: the received part of a truncated encoded body is decoded", arguments: TransportKind.allCases)
    func coded(kind: TransportKind) async throws {
        var random = SeededGenerator(seed: 43)
        let body = Data((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        let row = Row(
            "coded",
            headers: ["Content-Encoding: gzip", "Content-Length: 30000"],
            writes: [try GzipEncoder.encode(body).dropLast(5_000)],
            data: body
        )
        let server = try await Self.server(row)
        let transport = kind.make()
        let provider = MoyaProvider<TaskTarget>(session: Session(transport: transport))
        let target = TaskTarget(baseURL: server.url(), method: .get, task: .requestPlain)
        let result = await EntryPoint.async.request(target, from: provider)
        expectResponse(of: row, in: result, code: .networkConnectionLost, isWhole: false)
        if case .failure(let error) = result { #expect((error.response?.data.count ?? 0) > 10_000) }
        await transport.shutdown()
        await server.shutDown()
    }

    @Test("fact 43: the error of a streamed upload has the truncated response", arguments: rows, TransportKind.allCases)
    func afterUpload(row: Row, kind: TransportKind) async throws {
        let server = try await Self.server(row)
        let transport = kind.make()
        let folder = try TemporaryFolder()
        let file = try folder.write(String(repeating: "x", count: 100_000), to: "file.txt")
        let provider = MoyaProvider<TaskTarget>(session: Session(transport: transport))
        let target = TaskTarget(baseURL: server.url(), task: .uploadFile(file))
        let result = await EntryPoint.async.request(target, from: provider)
        // Over NIO, only a short body that arrives with the head is expected to be whole.
        let isWhole = kind == .urlSession || row.writes.count == 1 && row.data.count < 100
        expectResponse(of: row, in: result, code: .networkConnectionLost, isWhole: isWhole)
        await transport.shutdown()
        await server.shutDown()
    }

    @Test(
        "fact 43: the error of a body that stalls until the timeout has the response",
        arguments: rows,
        TransportKind.allCases
    )
    func timedOut(row: Row, kind: TransportKind) async throws {
        let server = try await Self.server(row, stalls: true)
        let transport = kind.make()
        // On a busy machine the timeout may pass before any byte has arrived.
        for seconds in [0.5, 2, 8, 32] {
            let configuration = URLSessionConfiguration.default
            configuration.timeoutIntervalForRequest = seconds
            let provider = MoyaProvider<TaskTarget>(
                session: Session(transport: transport, configuration: configuration)
            )
            let target = TaskTarget(baseURL: server.url(), method: .get, task: .requestPlain)
            let result = await EntryPoint.async.request(target, from: provider)
            guard case .failure(let error) = result else {
                Issue.record("\(result)")
                break
            }
            if seconds < 32, error.response?.data != row.data { continue }
            expectResponse(of: row, in: result, code: .timedOut)
            break
        }
        await transport.shutdown()
        await server.shutDown()
    }

    @Test(
        "a retrier gets the error of a truncated body, and the next attempt can succeed",
        arguments: TransportKind.allCases
    )
    func retried(kind: TransportKind) async throws {
        struct Retrier: RequestInterceptor {
            let asked: Recorder<String>
            func retry(_ attempt: RequestAttempt, for session: Session) async -> RetryResult {
                guard let error = attempt.error as? URLError else {
                    asked.add("response")
                    return .doNotRetry
                }
                asked.add("\(error.code == .networkConnectionLost)")
                return attempt.retryCount == 0 ? .retry : .doNotRetry
            }
        }
        let count = Recorder<Void>()
        let server = try await RawServer { connection in
            guard try await connection.head() != nil else { return }
            count.add(())
            let body = count.values.count == 1 ? "01" : "0123"
            try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\(body)")
        }
        let transport = kind.make()
        let asked = Recorder<String>()
        let provider = MoyaProvider<TaskTarget>(
            session: Session(transport: transport, interceptor: Retrier(asked: asked))
        )
        let target = TaskTarget(baseURL: server.url(), method: .get, task: .requestPlain)
        let result = await EntryPoint.async.request(target, from: provider)
        #expect(result.response?.data == Data("0123".utf8), "\(result)")
        #expect(asked.values == ["response", "true", "response"])
        await transport.shutdown()
        await server.shutDown()
    }
}
