import Foundation
import TestSupport
import Testing

@testable import MoyaTesting

@Suite("A log of requests keeps captured requests", .timeLimit(.minutes(5)))
struct RequestLogTests {
    @Test(
        "a log of requests keeps the last requests, and counts all requests",
        arguments: [(1, 5), (3, 3), (3, 4), (3, 10), (10, 4)]
    )
    func bounded(_ limit: Int, _ count: Int) async throws {
        let transport = CapturingTransport.answering(log: RequestLog(limit: limit))
        for number in 0..<count { _ = try await transport.ask("http://h/\(number)") }
        let kept = Array(max(0, count - limit)..<count)
        #expect(transport.requests.map(\.number) == kept)
        #expect(transport.requests.map(\.url.path) == kept.map { "/\($0)" })
        #expect(transport.log.count == count)
    }

    @Test("a log of requests with invalid limits keeps at least one request and no bodies")
    func oddLimits() async throws {
        let transport = try await CapturingTransport.asked(
            .post,
            "http://h/a",
            body: "x",
            log: RequestLog(limit: 0, bodyLimit: -1)
        )
        #expect(transport.log.limit == 1)
        #expect(transport.requests[0].body == Data())
        #expect(transport.requests[0].bodySize == 1)
    }

    @Test("removeAll() empties a log of requests, restarts its numbers, and drops requests in progress")
    func removeAll() async throws {
        let gate = Promise<Void>()
        let transport = CapturingTransport(
            over: FakeTransport { request in
                if request.url.path == "/slow" { await gate.wait() }
                let reader = try request.body?.open()
                while try await reader?.next() != nil {}
                return TransportResponse(status: 200)
            }
        )
        _ = try await transport.ask("http://h/a")
        let slow = Task {
            try await transport.ask("http://h/slow", body: .stream(InputStream(data: Data("x".utf8))))
        }
        while transport.log.count < 2 { await Task.yield() }
        #expect(transport.requests[1].isSent == false)
        transport.log.removeAll()
        #expect(transport.requests.isEmpty)
        gate.fulfill(())
        _ = try await slow.value
        await #expect(throws: RequestWaitError.self) {
            try await transport.log.wait(for: 1, timeout: .milliseconds(1))
        }
        _ = try await transport.ask("http://h/b")
        #expect(transport.requests.map(\.number) == [0])
        #expect(try await transport.log.wait(for: 1).map(\.url.path) == ["/b"])
    }

    @Test("a log captures 1,000 concurrent requests once each, with their targets and bodies")
    func concurrent() async throws {
        let transport = CapturingTransport.answering()
        let provider = MoyaProvider<Club>(session: Session(transport: transport))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<1000 { group.addTask { _ = try await provider.request(.order(id: id)) } }
            try await group.waitForAll()
        }
        let requests = transport.requests
        #expect(requests.map(\.number) == Array(0..<1000))
        let ids = try requests.map { try $0.json(as: [String: Int].self)["id"] ?? -1 }
        #expect(Set(ids) == Set(0..<1000))
        #expect(zip(requests, ids).allSatisfy { $0.target as? Club == .order(id: $1) })
        #expect(requests.allSatisfy { $0.status == 200 })
    }

    @Test("a log of 10,000 requests keeps only the beginning of each body, and can be searched")
    func many() async throws {
        let transport = CapturingTransport.answering(log: RequestLog(limit: 10_000, bodyLimit: 100))
        let large = HTTPBody.data(Data(repeating: 0x20, count: 100_000))
        for number in 0..<10_000 { _ = try await transport.ask("http://h/\(number)", method: .post, body: large) }
        let requests = transport.requests
        #expect(requests.count == 10_000)
        #expect(requests.allSatisfy { $0.body?.count == 100 && $0.isCut })
        try requests.expect(.post("/9999"))
        let text = failure { try requests.expect(.get("/none").json(["a": 1])) } ?? ""
        #expect(text.utf8.count < 4000)
        #expect(text.contains("… and 9990 more"))
        #expect(text.contains("100000 bytes, of which only 100 were kept"))
    }

    @Test("a log of requests does not retain the source of a body")
    func lifetime() async throws {
        final class Source: AsyncSequence, Sendable {
            struct AsyncIterator: AsyncIteratorProtocol {
                mutating func next() async throws -> Data? { nil }
            }
            func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
        }
        weak var weakSource: Source?
        let transport = CapturingTransport.answering()
        do {
            let source = Source()
            weakSource = source
            _ = try await transport.ask("http://h/a", method: .post, body: .sequence(source))
        }
        #expect(transport.requests.count == 1)
        #expect(weakSource == nil)
    }

    // MARK: Waiting

    @Test("wait(for:) of a request log waits for expected requests, and returns immediately if they were sent")
    func waits() async throws {
        let transport = CapturingTransport.answering()
        let waiting = Task { try await transport.log.wait(for: 3, timeout: .seconds(200)).map(\.url.path) }
        let other = Task { try await transport.log.wait(for: .get("/2"), timeout: .seconds(200)).number }
        for number in 0..<3 { _ = try await transport.ask("http://h/\(number)") }
        #expect(try await waiting.value.prefix(3) == ["/0", "/1", "/2"])
        #expect(try await other.value == 2)
        #expect(try await transport.log.wait(for: 2, timeout: .zero).count == 3)
        #expect(try await transport.log.wait(for: .get("/1"), timeout: .zero).number == 1)
        #expect(transport.log.state.withLock { $0.waiters.isEmpty })
    }

    @Test("wait(for:) of a request log waits until the body of a request is sent")
    func waitsForBody() async throws {
        let (pieces, feed) = AsyncStream<Data>.makeStream()
        let transport = CapturingTransport.answering()
        let sending = Task { try await transport.ask("http://h/a", method: .post, body: .sequence(pieces)) }
        feed.yield(Data("first ".utf8))
        while transport.requests.first?.bodySize != 6 { await Task.yield() }
        await #expect(throws: RequestWaitError.self) {
            try await transport.log.wait(for: .post("/a"), timeout: .milliseconds(1))
        }
        #expect(
            failure { try transport.requests.expect(.post("/a").text("first second")) } == """
                No request matches: POST /a, text
                The nearest is request 0, POST http://h/a, 6 bytes: (- expected, + actual)
                - body  text
                + body  6 bytes so far: wait until it is sent
                """
        )
        let waiting = Task {
            try await transport.log.wait(for: .post("/a").text("first second"), timeout: .seconds(240))
        }
        feed.yield(Data("second".utf8))
        feed.finish()
        #expect(try await waiting.value.text == "first second")
        _ = try await sending.value
    }

    @Test("wait(for:) of a request log throws an error with the captured requests after the timeout")
    func timeOut() async throws {
        let transport = try await CapturingTransport.asked(.get, "http://h/a?access_token=SECRET")
        let count = await #expect(throws: RequestWaitError.self) {
            try await transport.log.wait(for: 2, timeout: .milliseconds(10))
        }
        #expect(
            count?.localizedDescription == """
                Waited 0.01 seconds for 2 requests. 1 request was recorded:
                  0  GET http://h/a?access_token=*** → 200
                """
        )
        let request = await #expect(throws: RequestWaitError.self) {
            try await transport.log.wait(for: .get("/b"), timeout: .milliseconds(10))
        }
        #expect(
            request?.description == """
                Waited 0.01 seconds for a request. No request matches: GET /b
                The nearest is request 0, GET http://h/a?access_token=*** → 200: (- expected, + actual)
                - path  /b
                + path  /a
                """
        )
        #expect(transport.log.state.withLock { $0.waiters.isEmpty })
    }

    @Test("wait(for:) of a request log throws CancellationError when the task is cancelled")
    func cancelled() async throws {
        let transport = CapturingTransport.answering()
        let waiting = Task { try await transport.log.wait(for: 1, timeout: .seconds(200)) }
        while transport.log.state.withLock({ $0.waiters.isEmpty }) { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let cancelled = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await transport.log.wait(for: 1)
        }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}
