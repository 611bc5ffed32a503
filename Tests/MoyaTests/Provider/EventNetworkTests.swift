import Foundation
import Moya
import MoyaHTTP
import TestServers
import Testing

@Suite("Events arrive over a real network")
struct EventNetworkTests {
    @Test(
        "events of a stream arrive one by one, over connections that end or are lost",
        arguments: TransportKind.allCases
    )
    func reconnects(kind: TransportKind) async throws {
        let server = try await EventServer()
        let transport = kind.make()
        let provider = MoyaProvider<TaskTarget>(session: Session(transport: transport))
        let target = TaskTarget(baseURL: server.url(), method: .get, task: .requestPlain)
        let policy = ReconnectionPolicy(initialDelay: .milliseconds(1))
        let (seen, add) = AsyncStream<ServerSentEvent>.makeStream()
        let reader = Task {
            for try await event in provider.events(target, reconnection: policy) { add.yield(event) }
        }
        var events = seen.makeAsyncIterator()

        let first = await server.request()
        #expect(first?["accept"] == "text/event-stream")
        #expect(first?["cache-control"] == "no-store")
        #expect(first?["last-event-id"] == nil)
        await server.send("id: 1\ndata: a\n\n")
        #expect(await events.next() == ServerSentEvent(id: "1", data: "a"))
        // The connection is lost after half an event.
        await server.send("data: lost")
        await server.breakOff()

        #expect(await server.request()?["last-event-id"] == "1")
        await server.send("data: b\n\n")
        #expect(await events.next() == ServerSentEvent(id: "1", data: "b"))
        await server.end()

        #expect(await server.request()?["last-event-id"] == "1")
        reader.cancel()
        #expect(await server.waitForClose())
        await #expect(throws: MoyaError.self) { try await reader.value }
        await transport.shutdown()
        await server.shutDown()
    }

    @Test(
        "leaving the loop over events closes the connection, even if the server is silent",
        arguments: TransportKind.allCases
    )
    func leaving(kind: TransportKind) async throws {
        let server = try await EventServer()
        let transport = kind.make()
        let provider = MoyaProvider<TaskTarget>(session: Session(transport: transport))
        let target = TaskTarget(baseURL: server.url(), method: .get, task: .requestPlain)
        let reader = Task {
            for try await event in try await provider.stream(target).events { return event.data }
            return ""
        }
        _ = await server.request()
        await server.send("data: a\n\n: and nothing more")
        #expect(try await reader.value == "a")
        #expect(await server.waitForClose())
        await transport.shutdown()
        await server.shutDown()
    }
}
