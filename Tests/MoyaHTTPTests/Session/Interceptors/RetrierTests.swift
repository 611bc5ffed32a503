import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Retriers decide about outcomes over a real connection", .timeLimit(.minutes(5)))
struct RetrierTests {
    private func retrier(
        _ name: String,
        _ log: TestLog,
        _ result: @escaping @Sendable (RequestAttempt) -> RetryResult = { _ in .doNotRetry }
    ) -> TestInterceptor {
        TestInterceptor(onRetry: { attempt in
            log.note("\(name) \(attempt.summary)")
            return result(attempt)
        })
    }

    @Test(
        "retriers are asked in order about every outcome until one of them decides",
        arguments: TransportKind.allCases
    )
    func order(kind: TransportKind) async throws {
        let reactions: [ReactingServer.Reaction] = [.cutInBody, .respond(503), .respond(404), .respond(200)]
        try await kind.withReactingServer({ reactions[min($0.number, 3)] }) { transport, server in
            let log = TestLog()
            let session = Session(
                transport: transport,
                interceptor: Interceptor(
                    retriers: [
                        retrier("a", log),
                        retrier("b", log) { $0.error is URLError ? .retry : .doNotRetry },
                        retrier("c", log) { $0.status == 503 ? .retryWithDelay(0) : .doNotRetry },
                    ]
                )
            )
            let own = retrier("d", log) { $0.status == 404 ? .retry : .doNotRetry }
            let response = try await session.data(
                for: server.request(),
                record: RequestRecord(),
                settings: RequestSettings(interceptor: own),
                // A progress handler makes the body arrive piece by piece, so that the head is reported separately.
                progress: { _ in }
            )
            #expect(response.statusCode == 200)
            #expect(String(decoding: response.data, as: UTF8.self) == "ok")
            let lost = URLError.Code.networkConnectionLost.rawValue
            let expected =
                ["a", "b", "c", "d"].map { "\($0) 200 #0" } + ["a \(lost) #0", "b \(lost) #0"]
                + ["a 503 #1", "b 503 #1", "c 503 #1"] + ["a", "b", "c", "d"].map { "\($0) 404 #2" }
                + ["a", "b", "c", "d"].map { "\($0) 200 #3" }
            #expect(log.lines == expected)
            #expect(server.count == 4)
        }
    }

    private struct CompletionForm: RequestInterceptor {
        let log: TestLog
        let accepted = TestLog()

        func retry(
            _ request: Request,
            for session: Session,
            dueTo error: any Error,
            completion: @escaping @Sendable (RetryResult) -> Void
        ) {
            let what = (error as? URLError).map { "\($0.code.rawValue)" } ?? "\(error)"
            let head = request.response.map { "\($0.statusCode)" } ?? "none"
            log.note("\(what) #\(request.retryCount) \(head) \(request.request?.url?.path ?? "") \(request.id)")
            accepted.note("\(request.isAccepted(503)) \(request.isAccepted(404))")
            Task {
                completion(.retryWithDelay(0))
                // Calls after the first one are ignored.
                completion(.doNotRetryWithError(TestFailure()))
            }
        }
    }

    @Test("retriers with a completion are asked about errors only", arguments: TransportKind.allCases)
    func completionForm(kind: TransportKind) async throws {
        let reactions: [ReactingServer.Reaction] = [.cutInBody, .respond(503), .respond(404)]
        try await kind.withReactingServer({ reactions[min($0.number, 2)] }) { transport, server in
            let log = TestLog()
            let interceptor = CompletionForm(log: log)
            let session = Session(transport: transport, interceptor: interceptor)
            let record = RequestRecord()
            let response = try await session.data(
                for: server.request("/a"),
                record: record,
                settings: RequestSettings(isAccepted: { $0 != 503 }),
                progress: { _ in }
            )
            #expect(response.statusCode == 404)
            let lost = URLError.Code.networkConnectionLost.rawValue
            #expect(
                log.lines == [
                    "\(lost) #0 200 /a \(record.id)",
                    "\(UnacceptableStatusError(status: 503)) #1 503 /a \(record.id)",
                ]
            )
            // The request accepts the status 404, which is not an error.
            #expect(log.lines.count == 2)
            // The retrier's view of the request has its accepted statuses.
            #expect(interceptor.accepted.lines == ["false true", "false true"])
        }
    }

    @Test("a retrier may replace the error of a request", arguments: TransportKind.allCases)
    func otherError(kind: TransportKind) async throws {
        try await kind.withReactingServer({ $0.head.path == "/cut" ? .cutInBody : .respond(409) }) {
            transport,
            server in
            let session = Session(
                transport: transport,
                interceptor: TestInterceptor(onRetry: { attempt in
                    if case .response(200, _) = attempt.outcome { return .doNotRetry }
                    return .doNotRetryWithError(TestFailure())
                })
            )
            await #expect(throws: TestFailure()) { try await session.data(for: server.request()) }
            for (path, status) in [("/", 409), ("/cut", 200)] {
                let record = RequestRecord()
                await #expect(throws: TestFailure()) {
                    try await session.data(
                        for: server.request(path),
                        record: record,
                        progress: { _ in }
                    )
                }
                #expect(record.failedResponse?.statusCode == status)
                #expect(record.failedResponse?.data.isEmpty == false, "the body, or what arrived of it")
            }
            #expect(server.count == 3)
        }
    }

    @Test("a retrier's delay is measured by the session's clock", arguments: TransportKind.allCases)
    func delays(kind: TransportKind) async throws {
        try await kind.withReactingServer({ $0.number < 4 ? .respond(503) : .respond(200) }) { transport, server in
            let clock = WaitClock()
            let delays = [1.5, -1, 0.25, 86_400]
            let session = Session(
                transport: transport,
                interceptor: TestInterceptor(onRetry: { attempt in
                    attempt.status == 503 ? .retryWithDelay(delays[attempt.retryCount]) : .doNotRetry
                }),
                options: SessionOptions(clock: clock)
            )
            let response = try await session.data(for: server.request())
            #expect(response.statusCode == 200)
            #expect(clock.waits == [.seconds(1.5), .seconds(0.25), .seconds(86_400)])
            #expect(server.count == 5)
        }
    }

    @Test(
        "a retrier never causes a second sending of a body that is not repeatable",
        arguments: TransportKind.allCases,
        [false, true]
    )
    func bodyReadOnce(kind: TransportKind, isInRequest: Bool) async throws {
        try await kind.withReactingServer({ _ in .respond(503) }) { transport, server in
            let asked = TestLog()
            let session = Session(
                transport: transport,
                interceptor: TestInterceptor(onRetry: { attempt in
                    asked.note("\(attempt.summary) \(attempt.isBodyRepeatable)")
                    return .retry
                })
            )
            var request = server.request(method: "PUT")
            let stream = InputStream(data: Data("body".utf8))
            if isInRequest { request.httpBodyStream = stream }
            let response = try await session.data(for: request, body: isInRequest ? nil : .stream(stream))
            #expect(response.statusCode == 503)
            #expect(server.requests.map(\.text) == ["body"])
            #expect(asked.lines == ["503 #0 false"])
        }
    }

    @Test("a repeatable body is sent whole for each retry", arguments: TransportKind.allCases)
    func bodyReadAgain(kind: TransportKind) async throws {
        let folder = try TemporaryFolder()
        try folder.write("body", to: "a")
        try await kind.withReactingServer({ $0.number % 3 == 2 ? .respond(200) : .respond(503) }) { transport, server in
            let session = Session(transport: transport, interceptor: TestInterceptor.repeating(2))
            for body in [HTTPBody.data(Data("body".utf8)), .file(folder.file("a"))] {
                let status = try await session.data(for: server.request(method: "PUT"), body: body).statusCode
                #expect(status == 200)
            }
            #expect(server.requests.map(\.text) == Array(repeating: "body", count: 6))
        }
    }
}

extension RequestAttempt {
    /// The status, if there is one.
    var status: Int? { if case .response(let status, _) = outcome { status } else { nil } }
}
