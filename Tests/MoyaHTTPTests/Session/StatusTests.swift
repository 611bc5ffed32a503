#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("Sessions and transports tell their state", .timeLimit(.minutes(5)))
struct StatusTests {
    /// A server that never responds, and the paths of the requests that it has received.
    private struct SilentServer {
        let server: HTTPServer
        let requests: AsyncStream<String>

        init() async throws {
            let (requests, arrivals) = AsyncStream<String>.makeStream()
            self.requests = requests
            server = try await HTTPServer { request in
                arrivals.yield(request.head.path)
                await request.waitUntilClosed()
                throw CancellationError()
            }
        }

        var url: URL { server.baseURL.appendingPathComponent("never") }
    }

    @Test(
        "a session has its phase, its requests, and the connections and waiting requests of its transport"
    )
    func phases() async throws {
        let silent = try await SilentServer()
        let session = Session(
            transport: NIOTransport(maximumConnectionsPerHost: 1),
            configuration: .ephemeral
        )
        #expect(
            session.status
                == SessionStatus(
                    phase: .open,
                    runningRequests: 0,
                    transport: .init(phase: .open, runningExchanges: 0)
                )
        )
        let request = URLRequest(url: silent.url)
        let first = Task { try await session.data(for: request) }
        for await _ in silent.requests { break }
        // The transport reports that the second exchange waits.
        let (waits, isQueued) = AsyncStream<Void>.makeStream()
        var waiting = TransportRequest(method: .get, url: silent.url)
        waiting.recorder = ExchangeRecorder { event, _ in if event == .queued { isQueued.yield() } }
        let second = Task { [waiting] in try await session.transport.send(waiting) }
        for await _ in waits { break }
        let status = session.status
        #expect(status.phase == .open)
        #expect(status.runningRequests == 1)
        let transport = try #require(status.transport)
        #expect(transport.runningExchanges == 2)
        #expect(
            transport.servers == [
                .init(
                    scheme: "http",
                    host: "127.0.0.1",
                    port: silent.server.baseURL.port ?? 0,
                    activeConnections: 1,
                    waitingRequests: 1
                )
            ]
        )
        #expect(transport.activeConnections == 1)
        #expect(transport.waitingRequests == 1)
        second.cancel()
        _ = try? await second.value
        #expect(session.status.transport?.waitingRequests == 0)
        let shutdown = Task { await session.shutdown(grace: .seconds(60)) }
        while session.status.phase == .open { await Task.yield() }
        #expect(session.status.phase == .draining)
        first.cancel()
        _ = try? await first.value
        _ = await shutdown.value
        #expect(session.status.phase == .closed)
        #expect(session.status.transport == .init(phase: .closed, runningExchanges: 0))
        await silent.server.shutDown()
    }

    @Test("a transport without known connections has no servers, and one without a state has none")
    func otherTransports() async throws {
        let session = Session(transport: URLSessionTransport())
        #expect(session.status.transport == .init(phase: .open, runningExchanges: 0))
        await session.shutdown(grace: .zero)
        #expect(session.status.transport?.phase == .closed)
        #expect(Session(transport: FakeTransport { _ in TransportResponse(status: 200) }).status.transport == nil)
        // The transport is created with the first request.
        #expect(Session().status.transport == nil)
    }

    /// Records the reports about connections.
    private final class Reports: ConnectionObserver {
        let counts = Recorder<ConnectionCounts>()
        let ends = Recorder<ObservedConnection>()

        func connectionsChanged(_ counts: ConnectionCounts) { self.counts.add(counts) }

        func connectionClosed(_ connection: ObservedConnection, after age: Duration) {
            ends.add(connection)
        }
    }

    @Test(
        "an observer gets each change of the number of connections once, and the end of each connection"
    )
    func observers() async throws {
        try await PlainServer.run { server in
            let transport = NIOTransport()
            let (early, late) = (Reports(), Reports())
            for _ in 0..<2 { transport.addConnectionObserver(early) }
            let response = try await transport.send(
                TransportRequest(method: .get, url: server.url("/json"))
            )
            #expect(response.status == 200)
            transport.addConnectionObserver(late)
            await transport.shutdown()
            let origin = try #require(Origin(server.baseURL))
            func states(_ reports: Reports) -> [ConnectionCounts.States] {
                reports.counts.values.sorted { $0.number < $1.number }.map(\.http1)
            }
            // The connection may become idle after the response is returned.
            #expect(states(early).first == .init(active: 1))
            #expect(states(early).last == .init())
            #expect(states(late).last == .init())
            #expect(Set(early.counts.values.map(\.pool)).count == 1)
            #expect(early.ends.values == [ObservedConnection(server: origin, isHTTP2: false)])
            #expect(late.ends.values.isEmpty)
        }
    }
}
#endif
