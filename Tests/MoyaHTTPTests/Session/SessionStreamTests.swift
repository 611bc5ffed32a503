import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A streamed response is read over a real connection", .timeLimit(.minutes(5)))
struct SessionStreamTests {
    private func withEvents(
        _ kind: TransportKind,
        _ body: (Session, EventServer) async throws -> Void
    ) async throws {
        let server = try await EventServer()
        try await kind.withTransport { transport in try await body(Session(transport: transport), server) }
        await server.shutDown()
    }

    private func withLongAnswer(
        _ kind: TransportKind,
        _ body: (Session, StubServer) async throws -> Void
    ) async throws {
        let server = try await StubServer(["/long": StubServer.Response(body: Self.long)])
        try await kind.withTransport { transport in try await body(Session(transport: transport), server) }
        await server.shutDown()
    }

    private static let long = Pattern().bytes(64 << 20)

    @Test(
        "a streamed response has its head first, then each part as it is sent, and then its end",
        arguments: TransportKind.allCases
    )
    func parts(kind: TransportKind) async throws {
        // URLSession on Linux reports the head with the first bytes of the body.
        let isHeadLate = kind == .urlSession && foundationIsOnLinux
        try await withEvents(kind) { session, server in
            if isHeadLate { Task { if await server.request() != nil { await server.send("one") } } }
            let (response, body) = try await session.stream(for: URLRequest(url: server.url()))
            #expect(response.statusCode == 200)
            #expect(response.headers[.contentType] == "text/event-stream")
            #expect(response.data.isEmpty)
            var iterator = body.makeAsyncIterator()
            if !isHeadLate { await server.send("one") }
            try await expectNext("one", &iterator)
            await server.send("two")
            try await expectNext("two", &iterator)
            await server.end()
            try await expectNext(nil, &iterator)
            try await expectNext(nil, &iterator)
        }
    }

    @Test(
        "a streamed response fails after the received bytes if the connection is lost",
        arguments: TransportKind.allCases
    )
    func brokenOff(kind: TransportKind) async throws {
        try await withEvents(kind) { session, server in
            Task { if await server.request() != nil { await server.send("one") } }
            let (_, body) = try await session.stream(for: URLRequest(url: server.url()))
            var iterator = body.makeAsyncIterator()
            try await expectNext("one", &iterator)
            await server.breakOff()
            let error = await #expect(throws: URLError.self) { try await iterator.next() }
            #expect(error?.code == .networkConnectionLost)
        }
    }

    @Test("a streamed response times out if the server is silent", arguments: TransportKind.allCases)
    func silent(kind: TransportKind) async throws {
        // The test uses the first timeout that is long enough for the server's bytes, which depends on the machine.
        for seconds in [1.0, 4, 16, 64] {
            var isLongEnough = false
            try await withEvents(kind) { session, server in
                Task { if await server.request() != nil { await server.send("one") } }
                var request = URLRequest(url: server.url())
                request.timeoutInterval = seconds
                do {
                    let (_, body) = try await session.stream(for: request)
                    var iterator = body.makeAsyncIterator()
                    guard try await iterator.next() == Data("one".utf8) else { return }
                    isLongEnough = true
                    let error = await #expect(throws: URLError.self) { try await iterator.next() }
                    #expect(error?.code == .timedOut)
                    #expect(await server.waitForClose())
                } catch let error as URLError where error.code == .timedOut {}
            }
            if isLongEnough { return }
        }
        Issue.record("the server's first words never came in time")
    }

    #if NIO && !canImport(Darwin)
    @Test("the reader of a streamed response slows the server to its speed, and the body arrives complete")
    func backPressure() async throws {
        try await withLongAnswer(.nio) { session, server in
            let (_, body) = try await session.stream(for: URLRequest(url: server.url("/long")))
            var iterator = body.makeAsyncIterator()
            var received = try await iterator.next() ?? Data()
            let stalled = await server.first { event -> Int? in
                switch event {
                case .stalled(let sent): sent
                case .sent: .max
                case .head, .closed: nil
                }
            }
            // Linux lets the socket buffers grow to about 36 MiB, and the body has 64 MiB.
            #expect(stalled.map { $0 < 48 << 20 } == true)
            while let chunk = try await iterator.next() { received += chunk }
            #expect(received == Self.long)
        }
    }

    @Test("the connection of a streamed response is closed if a slow reader is cancelled")
    func cancelHeld() async throws {
        try await withLongAnswer(.nio) { session, server in
            let (_, body) = try await session.stream(for: URLRequest(url: server.url("/long")))
            let task = Task {
                var iterator = body.makeAsyncIterator()
                _ = try await iterator.next()
                try? await Task.sleep(for: .seconds(3_600))
                while try await iterator.next() != nil {}
            }
            let isStalled = await server.first { if case .stalled = $0 { true } else { nil } }
            #expect(isStalled == true)
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            await expectClosed(server, .nio)
        }
    }
    #endif

    @Test(
        "the connection of a streamed response is closed when the loop is left, even if the stream is retained",
        arguments: TransportKind.allCases
    )
    func leaving(kind: TransportKind) async throws {
        try await withLongAnswer(kind) { session, server in
            let (_, body) = try await session.stream(for: URLRequest(url: server.url("/long")))
            for try await _ in body { break }
            await expectClosed(server, kind)
            withExtendedLifetime(body) {}
        }
    }

    @Test(
        "the connection of a streamed response is closed when the unread stream is released",
        arguments: TransportKind.allCases
    )
    func unread(kind: TransportKind) async throws {
        try await withLongAnswer(kind) { session, server in
            do { _ = try await session.stream(for: URLRequest(url: server.url("/long"))) }
            await expectClosed(server, kind)
        }
    }

    @Test(
        "the connection of a streamed response is closed when the reader is cancelled",
        arguments: TransportKind.allCases
    )
    func cancel(kind: TransportKind) async throws {
        try await withEvents(kind) { session, server in
            Task { if await server.request() != nil { await server.send("one") } }
            let (_, body) = try await session.stream(for: URLRequest(url: server.url()))
            let (seen, seenEnd) = AsyncStream<Data>.makeStream()
            let task = Task { for try await chunk in body { seenEnd.yield(chunk) } }
            for await chunk in seen {
                #expect(chunk == Data("one".utf8))
                break
            }
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(await server.waitForClose())
        }
    }

    @Test("a streamed response can be read only once", arguments: TransportKind.allCases)
    func twice(kind: TransportKind) async throws {
        try await withLongAnswer(kind) { session, server in
            let (_, body) = try await session.stream(for: URLRequest(url: server.url("/long")))
            var first = body.makeAsyncIterator()
            var second = body.makeAsyncIterator()
            let error = await #expect(throws: URLError.self) { try await second.next() }
            #expect(error?.code == .resourceUnavailable)
            // The first reader is not affected.
            var count = 0
            while let chunk = try await first.next() { count += chunk.count }
            #expect(count == Self.long.count)
        }
    }

    @Test("a streamed response can be the response to an upload", arguments: TransportKind.allCases)
    func upload(kind: TransportKind) async throws {
        try await withEvents(kind) { session, server in
            Task {
                guard await server.request() != nil else { return }
                await server.send("one")
                await server.end()
            }
            var request = URLRequest(url: server.url())
            request.httpMethod = "POST"
            let log = ProgressLog()
            let (_, body) = try await session.stream(
                for: request,
                body: .stream(InputStream(data: Data(count: 300_000))),
                uploadProgress: log.handler
            )
            #expect(log.entries.last?.completed == 300_000)
            let text = try await body.reduce(into: Data()) { $0.append($1) }
            #expect(text == Data("one".utf8))
        }
    }

    private func expectNext(
        _ text: String?,
        _ iterator: inout TransportBodyStream.Iterator,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let chunk = try await iterator.next()
        #expect(chunk.map { String(decoding: $0, as: UTF8.self) } == text, sourceLocation: sourceLocation)
    }

    private func expectClosed(_ server: StubServer, _ kind: TransportKind) async {
        let sent = await server.first { event -> Int? in
            switch event {
            case .closed(let sent): sent
            case .sent: .max
            case .head, .stalled: nil
            }
        }
        #expect(sent.map { $0 < Self.long.count } == true, "\(kind)")
    }
}
