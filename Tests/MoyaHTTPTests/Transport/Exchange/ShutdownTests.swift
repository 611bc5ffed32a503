import Foundation
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A transport shuts down gracefully", .timeLimit(.minutes(5)))
struct ShutdownTests {
    /// A server that responds to `/slow` after the gate has been opened, and to `/stream` with a body whose rest
    /// follows then.
    private static func server(_ gate: Promise<Void>, _ received: Locked<[String]>) async throws -> RawServer {
        try await RawServer { connection in
            while let head = try await connection.head() {
                received.withLock { $0.append(head.target) }
                func waitForGate() async throws {
                    while gate.value == nil { try await Task.sleep(for: .milliseconds(2)) }
                }
                switch head.target {
                case "/redirect":
                    try await waitForGate()
                    try await connection.writer.write(
                        "HTTP/1.1 302 Found\r\nLocation: /target\r\nContent-Length: 0\r\n\r\n"
                    )
                case "/stream":
                    try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst")
                    try await waitForGate()
                    try await connection.writer.write("other")
                default:
                    if head.target == "/slow" { try await waitForGate() }
                    try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                }
            }
        }
    }

    private static func isRefused(_ body: () async throws -> some Sendable) async -> Bool {
        do {
            _ = try await body()
            return false
        } catch {
            return (error as? URLError).map { $0.isShutdown && $0.code == .resourceUnavailable } ?? false
        }
    }

    @Test(
        "a request after a transport's shutdown fails with a specific error",
        arguments: TransportKind.allCases,
        [false, true]
    )
    func refused(_ kind: TransportKind, isGraceful: Bool) async throws {
        let received = Locked<[String]>([])
        let server = try await Self.server(Promise(), received)
        let transport = kind.make()
        _ = try await transport.send(TransportRequest(method: .get, url: server.url("/a"))).collected()
        if isGraceful {
            #expect(await transport.shutdown(grace: .seconds(60)) == ShutdownResult())
        } else {
            await transport.shutdown()
        }
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(method: .get, url: server.url("/b")))
        }
        #expect(error?.code == .resourceUnavailable)
        #expect(error?.isShutdown == true)
        #expect(error?.localizedDescription.contains("has been shut down") == true)
        #expect(error?.failingURL == server.url("/b"))
        #expect(received.withLock { $0 } == ["/a"])
        await server.shutDown()
    }

    @Test(
        "running requests end by themselves in the grace period of a shutdown, and new requests are refused",
        arguments: TransportKind.allCases
    )
    func finished(_ kind: TransportKind) async throws {
        let (gate, received) = (Promise<Void>(), Locked<[String]>([]))
        let server = try await Self.server(gate, received)
        let transport = kind.make()
        let url = server.url("/slow")
        let running = (0..<3).map { _ in Task { try await transport.send(TransportRequest(method: .get, url: url)) } }
        let body = try await Self.stream(transport, server.url("/stream"))
        try await eventually { received.withLock { $0.count } == 4 }
        let shutdown = Task { await transport.shutdown(grace: .seconds(120)) }
        let fast = server.url("/fast")
        try await eventually {
            await Self.isRefused { try await transport.send(TransportRequest(method: .get, url: fast)) }
        }
        gate.fulfill(())
        for task in running { #expect(try await task.value.status == 200) }
        #expect(try await body.collect() == "firstother")
        // One of the fast requests may have been running.
        let result = await shutdown.value
        #expect((4...5).contains(result.finished) && result.cancelled == 0)
        await server.shutDown()
    }

    /// Requests a body as a stream.
    private static func stream(_ transport: any HTTPTransport, _ url: URL) async throws -> TransportBodyStream {
        var request = TransportRequest(method: .get, url: url)
        request.responseBufferLimit = 0
        return TransportBodyStream(of: try await transport.send(request))
    }

    @Test(
        "requests that still run at the end of a shutdown's grace period are cancelled",
        arguments: TransportKind.allCases
    )
    func cancelled(_ kind: TransportKind) async throws {
        let received = Locked<[String]>([])
        let server = try await Self.server(Promise(), received)
        let transport = kind.make()
        let url = server.url("/slow")
        let running = (0..<3).map { _ in Task { try await transport.send(TransportRequest(method: .get, url: url)) } }
        let body = try await Self.stream(transport, server.url("/stream"))
        try await eventually { received.withLock { $0.count } == 4 }
        #expect(await transport.shutdown(grace: .milliseconds(50)) == ShutdownResult(cancelled: 4))
        for task in running {
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        await #expect(throws: URLError.self) { try await body.collect() }
        await server.shutDown()
    }

    @Test(
        "cancelling the caller of a shutdown, or a shutdown without grace, ends the grace period",
        arguments: [false, true]
    )
    func noGrace(isCancelled: Bool) async throws {
        let received = Locked<[String]>([])
        let server = try await Self.server(Promise(), received)
        let transport = URLSessionTransport()
        let url = server.url("/slow")
        let running = Task { try await transport.send(TransportRequest(method: .get, url: url)) }
        try await eventually { received.withLock { $0.count } == 1 }
        let shutdown = Task { await transport.shutdown(grace: isCancelled ? .seconds(3_600) : .zero) }
        if isCancelled { shutdown.cancel() }
        #expect(await shutdown.value == ShutdownResult(cancelled: 1))
        await #expect(throws: URLError.self) { try await running.value }
        await server.shutDown()
    }

    @Test(
        "a session completes its requests with their redirects and bodies during a shutdown",
        arguments: TransportKind.allCases
    )
    func session(_ kind: TransportKind) async throws {
        let (gate, received) = (Promise<Void>(), Locked<[String]>([]))
        let server = try await Self.server(gate, received)
        let session = Session.alone(on: kind.make())
        let url = server.url("/redirect")
        let redirected = Task { try await session.data(for: URLRequest(url: url)) }
        let body = try await session.stream(for: URLRequest(url: server.url("/stream"))).body
        try await eventually { received.withLock { $0.count } == 2 }
        let shutdown = Task { await session.shutdown(grace: .seconds(120)) }
        let fast = server.url("/fast")
        try await eventually { await Self.isRefused { try await session.data(for: URLRequest(url: fast)) } }
        #expect(await Self.isRefused { try await session.preconnect(to: fast) })
        gate.fulfill(())
        #expect(try await redirected.value.statusCode == 200)
        #expect(try await body.collect() == "firstother")
        // One of the fast requests may have been running.
        let result = await shutdown.value
        #expect((2...3).contains(result.finished) && result.cancelled == 0)
        #expect(received.withLock { $0.contains("/target") })
        #expect(await Self.isRefused { try await session.transport.send(TransportRequest(method: .get, url: fast)) })
        await server.shutDown()
    }

    @Test("a session's shutdown waits for its requests over any transport")
    func anyTransport() async throws {
        let (isSent, gate) = (Promise<Void>(), Promise<Void>())
        let session = Session.alone(
            on: OtherTransport { request in
                guard request.url.path == "/slow" else { return }
                isSent.fulfill(())
                await gate.wait()
            }
        )
        let slow = try #require(URL(string: "http://server.test/slow"))
        let fast = try #require(URL(string: "http://server.test/fast"))
        let running = Task { try await session.data(for: URLRequest(url: slow)) }
        await isSent.wait()
        let shutdown = Task { await session.shutdown(grace: .seconds(120)) }
        try await eventually { await Self.isRefused { try await session.data(for: URLRequest(url: fast)) } }
        gate.fulfill(())
        #expect(try await running.value.statusCode == 200)
        // One of the fast requests may have been running.
        let result = await shutdown.value
        #expect((1...2).contains(result.finished) && result.cancelled == 0)
        // A second shutdown does nothing.
        #expect(await session.shutdown(grace: .seconds(120)) == ShutdownResult())
    }

    @Test("a released body does not delay the shutdown of a transport")
    func releasedBody() async throws {
        let received = Locked<[String]>([])
        let server = try await Self.server(Promise(), received)
        let session = Session.alone(on: TransportKind.allCases[0].make())
        var body: TransportBodyStream? = try await session.stream(for: URLRequest(url: server.url("/stream"))).body
        #expect(body != nil)
        body = nil
        #expect(await session.shutdown(grace: .seconds(120)).cancelled == 0)
        await server.shutDown()
    }

    /// A transport of an application with only the required members.
    private struct OtherTransport: HTTPTransport {
        let wait: @Sendable (TransportRequest) async -> Void

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            await wait(request)
            return TransportResponse(status: 200)
        }

        func shutdown() async {}
    }
}

extension TransportBodyStream {
    fileprivate func collect() async throws -> String {
        var data = Data()
        for try await chunk in self { data.append(chunk) }
        return String(decoding: data, as: UTF8.self)
    }
}
