import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("An upload can be cancelled and slowed", .timeLimit(.minutes(5)))
struct UploadFlowTests {
    /// An endless body in a form that the transport supports.
    private func body(_ endless: EndlessBody, on kind: TransportKind) -> HTTPBody {
        kind.sendsSequences ? .sequence(endless) : .stream(endless.stream())
    }

    private func request(to url: URL, _ body: HTTPBody) -> TransportRequest {
        TransportRequest(method: .post, url: url, body: body)
    }

    @Test(
        "the cancellation of an upload reaches the socket and the body",
        arguments: ["/sink", "/held"],
        TransportKind.allCases
    )
    func cancel(path: String, kind: TransportKind) async throws {
        let server = try await UploadServer()
        try await kind.withTransport { transport in
            let endless = EndlessBody()
            let request = request(to: server.url(path), body(endless, on: kind))
            let task = Task { try await transport.send(request) }
            try await endless.waitFor(pieces: 3)
            #expect(await server.wait(for: .head(path: path)))
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            await endless.waitForRelease()
            // The server reads the available bytes before it detects the end.
            await server.resume()
            guard case .brokenOff(path, _) = await server.end() else {
                Issue.record("the server saw a whole request")
                return
            }
        }
        await server.shutDown()
    }

    #if NIO && !canImport(Darwin)
    @Test("the cancellation of an upload reaches a sequence that waits", arguments: TransportKind.overNIO)
    func cancelWaiting(kind: TransportKind) async throws {
        let server = try await UploadServer()
        try await kind.withTransport { transport in
            let endless = EndlessBody(waitsAfter: 2)
            let request = request(to: server.url("/sink"), .sequence(endless))
            let task = Task { try await transport.send(request) }
            try await endless.waitFor(pieces: 3)
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            await endless.waitForRelease()
            #expect(endless.wasCancelled)
            #expect(await server.end() == .brokenOff(path: "/sink", bytes: 2 * EndlessBody.pieceLength))
        }
        await server.shutDown()
    }

    @Test(
        "an upload whose sequence supplies nothing times out as idle, and the sequence is cancelled",
        arguments: TransportKind.overNIO
    )
    func idleSequence(kind: TransportKind) async throws {
        let server = try await UploadServer()
        try await kind.withTransport { transport in
            let endless = EndlessBody(waitsAfter: 2)
            var request = request(to: server.url("/sink"), .sequence(endless))
            request.idleTimeout = .milliseconds(300)
            let error = await #expect(throws: URLError.self) { try await transport.send(request) }
            #expect(error?.code == .timedOut)
            // The cancellation may be too early for the sequence to be read at all.
            if endless.pieces > 2 { await endless.waitForRelease() }
        }
        await server.shutDown()
    }
    #endif

    @Test("an upload to a server that does not read times out as idle", arguments: TransportKind.allCases)
    func idle(kind: TransportKind) async throws {
        let server = try await UploadServer()
        try await kind.withTransport { transport in
            let endless = EndlessBody()
            var request = request(to: server.url("/held"), body(endless, on: kind))
            request.idleTimeout = .milliseconds(300)
            let error = await #expect(throws: URLError.self) { try await transport.send(request) }
            #expect(error?.code == .timedOut)
            // On a busy machine the timeout may pass before anything is read.
            if endless.pieces > 0 { await endless.waitForRelease() }
        }
        await server.shutDown()
    }

    @Test("the body of an upload is read only as fast as the server takes it", arguments: TransportKind.allCases)
    func backPressure(kind: TransportKind) async throws {
        // The limit covers the socket buffers (up to about 36 MiB on Linux), and is far less than the memory.
        let limit = (48 << 20) / EndlessBody.pieceLength
        let server = try await UploadServer()
        try await kind.withTransport { transport in
            let endless = EndlessBody()
            let request = request(to: server.url("/held"), body(endless, on: kind))
            let task = Task { try await transport.send(request) }
            let standstill = try await endless.waitForStandstill(within: limit)
            #expect(standstill <= limit)
            await server.resume()
            try await endless.waitFor(pieces: standstill + 2 * limit)
            task.cancel()
            _ = await task.result
            await endless.waitForRelease()
        }
        await server.shutDown()
    }

    @Test("an upload of 100 MiB from a file arrives", arguments: TransportKind.allCases)
    func longFile(kind: TransportKind) async throws {
        let server = try await UploadServer()
        let file = try TemporaryFile()
        try file.truncate(at: 100 << 20)
        try await kind.withTransport { transport in
            let response = try await transport.send(request(to: server.url("/sink"), .file(file.url))).collected()
            #expect(response == Data("\(100 << 20)".utf8))
        }
        await server.shutDown()
    }
}

#if NIO && !canImport(Darwin)
@Suite("Requests on a connection that was closed while idle are sent again", .timeLimit(.minutes(5)))
struct StaleConnectionTests {
    @Test("a PUT with a repeatable body is sent again once after a closed idle connection")
    func repeatable() async throws {
        let file = try TemporaryFile(Data("text".utf8))
        let bodies: [HTTPBody] = [
            .data(Data("text".utf8)),
            .file(file.url),
            .sequence(OneElement(), isRepeatable: true),
            .data(Data("text".utf8)).observingProgress { _, _ in },
        ]
        for body in bodies {
            let (result, requests) = try await outcome(of: body, .put)
            let status = try result.get()
            #expect(status == 200)
            #expect(requests.map(\.head.method) == ["GET", "PUT", "PUT"])
            #expect(requests.map(\.place) == [0, 1, 0])
            #expect(requests.map { String(decoding: $0.body, as: UTF8.self) } == ["", "text", "text"])
        }
    }

    @Test("a body that is not repeatable, or another method, is not sent again after a closed idle connection")
    func once() async throws {
        let rows: [(HTTPBody, HTTPMethod)] = [
            (.stream(InputStream(data: Data("text".utf8))), .put),
            (.sequence(OneElement()), .put),
            (.data(Data("text".utf8)), .post),
            (.sequence(OneElement(), isRepeatable: true), .patch),
        ]
        for (body, method) in rows {
            let (result, requests) = try await outcome(of: body, method)
            let error = #expect(throws: URLError.self) { try result.get() }
            #expect(error?.code == .networkConnectionLost)
            #expect(requests.map(\.head.method) == ["GET", method.rawValue])
        }
    }

    private func outcome(
        of body: HTTPBody,
        _ method: HTTPMethod
    ) async throws -> (Result<Int, any Error>, [ReactingServer.Received]) {
        let server = try await ReactingServer { $0.place > 0 ? .cut : .respond(200) }
        let transport = NIOTransport()
        _ = try await transport.send(TransportRequest(method: .get, url: server.url()))
        let request = TransportRequest(method: method, url: server.url(), body: body)
        let result = await Result.of { try await transport.sendAsSession(request).status }
        let requests = server.requests
        await transport.shutdown()
        await server.shutDown()
        return (result, requests)
    }

    private struct OneElement: AsyncSequence {
        func makeAsyncIterator() -> AsyncStream<Data>.Iterator {
            AsyncStream { continuation in
                continuation.yield(Data("text".utf8))
                continuation.finish()
            }.makeAsyncIterator()
        }
    }
}
#endif
