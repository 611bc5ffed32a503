#if Observability && NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import Moya
import MoyaHTTP
import MoyaObservability
import ServiceLifecycle
import ServiceLifecycleTestKit
import TestServers
import Testing

@Suite("A session is a service of a group", .timeLimit(.minutes(5)))
struct SessionServiceTests {
    @Test("a graceful shutdown lets running requests end, and refuses new ones")
    func gracefulShutdown() async throws {
        let server = try await ObservedServer()
        let session = try Observed().session
        let logs = LogRecorder()
        let request = URLRequest(url: server.url("/never"))
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await SessionService(session, grace: .milliseconds(50), logger: logs.logger).run()
                }
                let running = Task { try await session.data(for: request) }
                for await path in server.requests where path == "never" { break }
                #expect(session.status.phase == .open)
                #expect(session.status.runningRequests == 1)
                trigger.triggerGracefulShutdown()
                try await group.waitForAll()
                await #expect(throws: URLError.self) { try await running.value }
            }
        }
        #expect(logs.lines.map(\.metadata) == [["moya.requests.finished": "0", "moya.requests.cancelled": "1"]])
        await #expect(throws: URLError.self) { try await session.data(for: request) }
        #expect(
            session.status
                == SessionStatus(
                    phase: .closed,
                    runningRequests: 0,
                    transport: TransportStatus(phase: .closed, runningExchanges: 0)
                )
        )
        await server.shutDown()
    }

    @Test("the cancellation of the group cancels running requests immediately")
    func cancellation() async throws {
        let server = try await ObservedServer()
        let session = try Observed().session
        let request = URLRequest(url: server.url("/never"))
        let service = Task { try await SessionService(session, grace: .seconds(3_600)).run() }
        let running = Task { try await session.data(for: request) }
        for await path in server.requests where path == "never" { break }
        service.cancel()
        try await service.value
        await #expect(throws: URLError.self) { try await running.value }
        await server.shutDown()
    }
}
#endif
