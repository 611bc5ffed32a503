import Foundation
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A connection may be lost in the middle of a body", .timeLimit(.minutes(5)))
struct BrokenBodyTests {
    @Test("a request whose connection is lost within the body is retried", arguments: TransportKind.allCases)
    func repeated(kind: TransportKind) async throws {
        try await kind.withReactingServer({ $0.number < 2 ? .cutInBody : .respond(200) }) { transport, server in
            let session = Session(transport: transport, interceptor: TestInterceptor.repeating(2))
            let log = ProgressLog()
            let response = try await session.data(for: server.request(), progress: log.handler)
            #expect(response.statusCode == 200)
            // No byte of the first attempts is left.
            #expect(String(decoding: response.data, as: UTF8.self) == "ok")
            #expect(server.count == 3)
            let counts = log.entries.map(\.completed)
            #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 }, "\(counts)")
        }
    }

    @Test(
        "the error of a connection lost within the body has the response and the received part of the body",
        arguments: TransportKind.allCases
    )
    func failed(kind: TransportKind) async throws {
        try await kind.withReactingServer({ _ in .cutInBody }) { transport, server in
            let session = Session(transport: transport, interceptor: TestInterceptor.repeating(1))
            let record = RequestRecord()
            let log = ProgressLog()
            let failure = await #expect(throws: URLError.self) {
                // A progress handler makes the body arrive piece by piece.
                try await session.data(
                    for: server.request(),
                    record: record,
                    progress: log.handler
                )
            }
            #expect(failure?.code == .networkConnectionLost)
            #expect(record.failedResponse?.statusCode == 200)
            let data = record.failedResponse?.data ?? Data()
            #expect(Data("0123456789".utf8).starts(with: data))
            #expect(record.response?.statusCode == 200)
            #expect(record.retryCount == 1)
            #expect(server.count == 2)
            let error = await #expect(throws: URLError.self) { try await session.data(for: server.request()) }
            #expect(error?.code == .networkConnectionLost)
            #expect(server.count == 4)
        }
    }

    @Test("a request is not retried once the caller reads its stream", arguments: TransportKind.allCases)
    func streamed(kind: TransportKind) async throws {
        try await kind.withReactingServer({ $0.number == 0 ? .respond(503) : .cutInBody }) { transport, server in
            let session = Session(transport: transport, interceptor: TestInterceptor.repeating(5))
            do {
                let (response, body) = try await session.stream(for: server.request())
                #expect(response.statusCode == 200)
                let error = await #expect(throws: URLError.self) { for try await _ in body {} }
                #expect(error?.code == .networkConnectionLost)
                #expect(server.count == 2)
            } catch let error as URLError where kind == .urlSession && foundationIsOnLinux {
                // URLSession on Linux may report the end before the head.
                #expect(error.code == .networkConnectionLost)
            }
        }
    }

    @Test("the error of the last attempt does not have an earlier attempt's response")
    func staleResponse() async throws {
        let kind = TransportKind.allCases[0]
        let port = try DeadPort()
        try await kind.withReactingServer({ _ in .respond(503) }) { transport, server in
            let session = Session(
                transport: transport,
                interceptor: TestInterceptor(
                    onAdapt: { request, state in
                        guard state.retryCount > 0 else { return request }
                        var request = request
                        request.url = port.url
                        return request
                    },
                    onRetry: { $0.retryCount == 0 ? .retry : .doNotRetryWithError(TestFailure()) }
                )
            )
            let record = RequestRecord()
            await #expect(throws: TestFailure()) {
                try await session.data(for: server.request(), record: record)
            }
            #expect(record.failedResponse == nil)
            #expect(record.response == nil)
            #expect(record.currentRequest?.url == port.url)
        }
    }

    @Test("the error of a retry that an adapter or a preparation refuses does not have an earlier attempt's response")
    func staleResponseOfUnsentRetry() async throws {
        let kind = TransportKind.allCases[0]
        for isAdapted in [true, false] {
            try await kind.withReactingServer({ _ in .respond(503) }) { transport, server in
                let seen = Locked<[Int?]>([])
                let session = Session(
                    transport: transport,
                    interceptor: TestInterceptor(
                        onAdapt: { request, state in
                            if isAdapted, state.retryCount > 0 { throw TestFailure() }
                            return request
                        },
                        onRetry: { attempt in
                            seen.withLock { $0.append(attempt.record.response?.statusCode) }
                            return attempt.retryCount == 0 ? .retry : .doNotRetryWithError(TestFailure())
                        }
                    )
                )
                let record = RequestRecord()
                let preparation = TestPreparation { request in
                    if server.count > 0 { throw TestFailure() }
                    return request
                }
                let settings = RequestSettings(preparation: isAdapted ? nil : preparation)
                await #expect(throws: TestFailure()) {
                    try await session.data(for: server.request(), record: record, settings: settings)
                }
                #expect(seen.withLock { $0 } == [503, nil])
                #expect(record.failedResponse == nil)
                #expect(record.response == nil)
                #expect(server.count == 1)
            }
        }
    }

    @Test("a request whose body breaks off counts once in the retry budget", arguments: TransportKind.allCases)
    func budget(kind: TransportKind) async throws {
        try await kind.withReactingServer({ _ in .cutInBody }) { transport, server in
            let budget = RetryBudget(share: 1, reservePerSecond: 0, maximumBalance: 10, clock: HandClock())
            let session = Session(transport: transport, interceptor: RetryPolicy(retryLimit: 0, budget: budget))
            await #expect(throws: URLError.self) { try await session.data(for: server.request()) }
            #expect([budget.withdraw(), budget.withdraw()] == [true, false])
        }
    }

    @Test("upload progress never decreases over all attempts", arguments: TransportKind.allCases)
    func uploadProgress(kind: TransportKind) async throws {
        let length = 300_000
        try await kind.withReactingServer({ $0.number < 2 ? .respond(503) : .respond(200) }) { transport, server in
            let session = Session(transport: transport, interceptor: TestInterceptor.repeating(2))
            let log = ProgressLog()
            let response = try await session.data(
                for: server.request(method: "PUT"),
                body: .data(Data(count: length)),
                uploadProgress: log.handler
            )
            #expect(response.statusCode == 200)
            #expect(server.requests.map(\.body.count) == [length, length, length])
            log.expectGoodOrder(last: Int64(length), total: Int64(length))
        }
    }

    @Test("upload progress never decreases when an attempt fails midway", arguments: TransportKind.allCases)
    func uploadBrokenOff(kind: TransportKind) async throws {
        let length = 3_000_000
        let tries = TestLog()
        let server = try await RawServer { connection in
            while try await connection.head() != nil {
                tries.note("head")
                let isFirst = tries.lines.count == 1
                var count = 0
                while let piece = try await connection.bodyPiece() {
                    count += piece.readableBytes
                    // The error closes the connection immediately.
                    if isFirst, count > length / 2 { throw TestFailure() }
                }
                try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        try await kind.withTransport { transport in
            let session = Session(transport: transport, interceptor: TestInterceptor.repeating(2))
            var request = URLRequest(url: server.url())
            // The transport does not repeat the request.
            request.httpMethod = "POST"
            let log = ProgressLog()
            let response = try await session.data(
                for: request,
                body: .data(Data(count: length)),
                uploadProgress: log.handler
            )
            #expect(response.statusCode == 200)
            #expect(tries.lines.count == 2)
            log.expectGoodOrder(last: Int64(length), total: Int64(length))
        }
        await server.shutDown()
    }
}
