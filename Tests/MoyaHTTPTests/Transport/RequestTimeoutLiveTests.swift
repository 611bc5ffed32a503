import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Timeouts end requests to real servers", .timeLimit(.minutes(5)))
struct RequestTimeoutLiveTests {
    /// Returns the session's request that fails, and its error.
    private func failure(
        of url: URL,
        on transport: any HTTPTransport,
        _ timeouts: RequestTimeouts,
        body: HTTPBody? = nil
    ) async throws -> URLError {
        var resilience = Resilience()
        resilience.timeouts = timeouts
        let session = Session(transport: transport, configuration: .ephemeral, resilience: resilience)
        var request = URLRequest(url: url)
        if body != nil { request.httpMethod = "POST" }
        let failed = await #expect(throws: URLError.self) {
            try await session.data(for: request, body: body)
        }
        return try #require(failed)
    }

    @Test(
        "the total time closes the connection to a server that does not respond, or not completely",
        arguments: TransportKind.allCases,
        ["", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n01234"]
    )
    func total(kind: TransportKind, response: String) async throws {
        // On a busy machine the time may be over before the request is sent.
        for limit in [Duration.milliseconds(500), .seconds(5), .seconds(50)] {
            let (isReceived, isClosed) = (Locked(false), Promise<Void>())
            let server = try await RawServer { connection in
                guard try await connection.head() != nil else { return }
                isReceived.withLock { $0 = true }
                try await connection.writer.write(response)
                await connection.waitUntilClosed()
                isClosed.fulfill(())
            }
            try await kind.withTransport { transport in
                let error = try await failure(of: server.url(), on: transport, RequestTimeouts(total: limit))
                #expect(error.timeout == RequestTimeoutError(kind: .total, limit: limit))
                if isReceived.withLock({ $0 }) { await isClosed.wait() }
            }
            await server.shutDown()
            if isReceived.withLock({ $0 }) { break }
        }
    }

    @Test("the time of an attempt and the first byte end an exchange", arguments: TransportKind.allCases)
    func exchange(kind: TransportKind) async throws {
        try await kind.withMisbehavingServer { transport, server in
            let limit = Duration.milliseconds(300)
            let url = server.url(.neverResponds)
            for (timeouts, kind) in [
                (RequestTimeouts(attempt: limit), RequestTimeoutError.Kind.attempt),
                (RequestTimeouts(attempt: .seconds(600), firstByte: limit), .firstByte),
            ] {
                let error = try await failure(of: url, on: transport, timeouts)
                #expect(error.timeout == RequestTimeoutError(kind: kind, limit: limit))
            }
            let body = HTTPBody.data(Data(repeating: 0x61, count: 100))
            let error = try await failure(of: url, on: transport, .init(firstByte: limit), body: body)
            #expect(error.timeout == RequestTimeoutError(kind: .firstByte, limit: limit))
        }
    }

    @Test("a server that has begun to respond in time may take longer for the body", arguments: TransportKind.allCases)
    func bodyAfterHead(kind: TransportKind) async throws {
        let gate = Promise<Void>()
        let server = try await RawServer { connection in
            guard let head = try await connection.head() else { return }
            guard head.target == "/body" else { return await connection.waitUntilClosed() }
            try await connection.writer.write(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 600\r\n\r\n"
                    + String(repeating: " ", count: 598)
            )
            await gate.wait()
            try await connection.writer.write("ok")
        }
        try await kind.withTransport { transport in
            // The head arrives in time unless the machine is busy.
            for limit in [Duration.milliseconds(500), .seconds(5), .seconds(50)] {
                var request = TransportRequest(method: .get, url: server.url("/body"), responseBufferLimit: 0)
                request.firstByteTimeout = limit
                guard let response = try? await transport.send(request) else { continue }
                // A request with the same time shows that the time is over.
                var other = TransportRequest(method: .get, url: server.url("/never"))
                other.firstByteTimeout = limit
                let error = await #expect(throws: URLError.self) { try await transport.send(other) }
                #expect(error?.timeout == RequestTimeoutError(kind: .firstByte, limit: limit))
                gate.fulfill(())
                let body = try await response.collected()
                #expect(body.suffix(2) == Data("ok".utf8))
                return
            }
            Issue.record("No response begins in time.")
        }
        gate.fulfill(())
        await server.shutDown()
    }

    @Test("the sum of the exchanges of an attempt is the limit in the error", arguments: TransportKind.allCases)
    func redirect(kind: TransportKind) async throws {
        let server = try await RawServer { connection in
            while let head = try await connection.head() {
                guard head.target == "/" else {
                    await connection.waitUntilClosed()
                    return
                }
                try await connection.writer.write("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")
            }
        }
        try await kind.withTransport { transport in
            let limit = Duration.milliseconds(700)
            let error = try await failure(of: server.url(), on: transport, .init(attempt: limit))
            #expect(error.timeout == RequestTimeoutError(kind: .attempt, limit: limit))
        }
        await server.shutDown()
    }
}

#if NIO && !canImport(Darwin)
@Suite("Timeouts end requests over NIOTransport", .timeLimit(.minutes(5)))
struct RequestTimeoutNIOTests {
    private static func session(_ transport: NIOTransport, _ timeouts: RequestTimeouts) -> Session {
        var resilience = Resilience()
        resilience.timeouts = timeouts
        return Session(transport: transport, configuration: .ephemeral, resilience: resilience)
    }

    @Test("a timeout resets the stream over HTTP/2", arguments: [RequestTimeoutError.Kind.total, .attempt, .firstByte])
    func stream(kind: RequestTimeoutError.Kind) async throws {
        let limit = Duration.milliseconds(500)
        let reset = Promise<UInt32>()
        try await HTTP2Live.run { peer in
            while let frame = try await peer.frame() {
                if frame.type == RawFrame.Kind.reset { reset.fulfill(frame.number) }
            }
        } then: { transport, server in
            try await transport.preconnect(to: server.url(), connections: 1)
            let timeouts =
                switch kind {
                case .total: RequestTimeouts(total: limit)
                case .attempt: RequestTimeouts(attempt: limit)
                default: RequestTimeouts(firstByte: limit)
                }
            let session = Self.session(transport, timeouts)
            let error = await #expect(throws: URLError.self) {
                try await session.data(for: URLRequest(url: server.url()))
            }
            #expect(error?.timeout == RequestTimeoutError(kind: kind, limit: limit))
            // CANCEL (RFC 9113, section 7).
            #expect(await reset.wait() == 8)
        }
    }

    /// A body whose second piece waits for a gate.
    private static func body(_ gate: Promise<Void>) -> HTTPBody {
        .sequence(
            AsyncStream<Data> { stream in
                stream.yield(Data("first".utf8))
                Task {
                    await gate.wait()
                    stream.yield(Data("second".utf8))
                    stream.finish()
                }
            }
        )
    }

    @Test("the time until the response begins when the body has been sent", arguments: [false, true])
    func upload(isHTTP2: Bool) async throws {
        let limit = Duration.milliseconds(300)
        let gate = Promise<Void>()
        let clock = ContinuousClock()
        /// Sends the request, lets its body wait for longer than the limit, and returns the error.
        func send(_ transport: NIOTransport, _ url: URL) async throws {
            var request = TransportRequest(method: .post, url: url, body: Self.body(gate))
            request.firstByteTimeout = limit
            let start = clock.now
            let task = Task { [request] in try await transport.send(request) }
            // Another request with the same limit ends after it.
            var other = TransportRequest(method: .get, url: url)
            other.firstByteTimeout = limit * 2
            let first = await #expect(throws: URLError.self) { try await transport.send(other) }
            #expect(first?.timeout == RequestTimeoutError(kind: .firstByte, limit: limit * 2))
            gate.fulfill(())
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.timeout == RequestTimeoutError(kind: .firstByte, limit: limit))
            #expect(clock.now - start >= limit * 3)
        }
        if isHTTP2 {
            try await HTTP2Live.run { peer in
                while try await peer.frame() != nil {}
            } then: { transport, server in
                try await send(transport, server.url())
            }
        } else {
            let server = try await RawServer { await $0.waitUntilClosed() }
            let transport = NIOTransport()
            try await transport.shutDown(after: { try await send(transport, server.url()) })
            await server.shutDown()
        }
    }

    @Test("interim responses do not end the time until the response", arguments: [false, true])
    func interim(isHTTP2: Bool) async throws {
        let limit = Duration.milliseconds(500)
        func send(_ transport: NIOTransport, _ url: URL) async throws {
            var request = TransportRequest(method: .get, url: url)
            request.firstByteTimeout = limit
            let error = await #expect(throws: URLError.self) { try await transport.send(request) }
            #expect(error?.timeout == RequestTimeoutError(kind: .firstByte, limit: limit))
        }
        if isHTTP2 {
            try await HTTP2Live.run { peer in
                guard let request = try await peer.request() else { return }
                while true {
                    try await peer.send(headers: [(":status", "103")], on: request.stream)
                    try await Task.sleep(for: .milliseconds(20))
                }
            } then: { transport, server in
                try await send(transport, server.url())
            }
        } else {
            let server = try await RawServer { connection in
                while try await connection.head() != nil {
                    while true {
                        try await connection.writer.write("HTTP/1.1 103 Early Hints\r\n\r\n")
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
            }
            let transport = NIOTransport()
            try await transport.shutDown(after: { try await send(transport, server.url()) })
            await server.shutDown()
        }
    }
}
#endif
