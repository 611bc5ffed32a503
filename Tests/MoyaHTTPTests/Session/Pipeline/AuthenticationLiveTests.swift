import Foundation
import TestServers
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("OAuth 2 works over real connections", .timeLimit(.minutes(5)))
struct AuthenticationLiveTests {
    /// Sends a number of concurrent requests, and returns their results.
    private func results(
        _ count: Int,
        _ session: Session,
        _ request: URLRequest
    ) async -> [Result<Int, any Error>] {
        await withTaskGroup(of: Result<Int, any Error>.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do {
                        return .success(try await session.data(for: request).statusCode)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    #if NIO && !canImport(Darwin)
    @Test("500 requests that are refused together cause one token refresh and succeed")
    func refusedTogether() async throws {
        let count = 500
        let server = try await BearerServer(heldBack: count)
        // All requests must be sent at once, and the token's request besides.
        let transport = NIOTransport(maximumConnectionsPerHost: count + 12)
        let stored = TestLog()
        let interceptor = server.interceptor { stored.note($0.accessToken) }
        let session = Session(transport: transport, interceptor: interceptor)
        let results = await results(count, session, server.request())
        #expect(results.count == count)
        #expect(results.compactMap { try? $0.get() } == Array(repeating: 200, count: count))
        #expect(server.refreshes == 1)
        #expect(server.refused == count)
        #expect(server.accepted == count)
        #expect(stored.lines == ["token-1"])
        #expect(interceptor.credential?.accessToken == "token-1")
        let token = server.tokenRequests.first
        #expect(token?.head.method == "POST")
        #expect(token?.text == "grant_type=refresh_token&refresh_token=again&client_id=app")
        #expect(token?.head["authorization"] == nil)
        await transport.shutdown()
        await server.shutDown()
    }
    #endif

    @Test(
        "requests that are refused one after the other over few connections cause one token refresh",
        arguments: TransportKind.allCases
    )
    func refusedInTurn(kind: TransportKind) async throws {
        let count = 100
        let server = try await BearerServer()
        try await kind.withTransport { transport in
            let session = Session(transport: transport, interceptor: server.interceptor())
            let results = await results(count, session, server.request())
            #expect(results.compactMap { try? $0.get() } == Array(repeating: 200, count: count))
            #expect(server.refreshes == 1)
            #expect(server.accepted == count)
        }
        await server.shutDown()
    }

    @Test("an OAuth 2 token that has expired is refreshed before anything is sent", arguments: TransportKind.allCases)
    func expired(kind: TransportKind) async throws {
        let count = 50
        let server = try await BearerServer()
        try await kind.withTransport { transport in
            let interceptor = server.interceptor(expiration: Date(timeIntervalSinceNow: -1))
            let session = Session(transport: transport, interceptor: interceptor)
            let results = await results(count, session, server.request())
            #expect(results.compactMap { try? $0.get() } == Array(repeating: 200, count: count))
            #expect(server.refreshes == 1)
            #expect(server.refused == 0)
            #expect(server.accepted == count)
        }
        await server.shutDown()
    }

    @Test("a refused token refresh fails each waiting request once", arguments: TransportKind.allCases)
    func refreshRefused(kind: TransportKind) async throws {
        // The number of connections to one host, so that all are refused before one fails.
        let count = 4
        let release = Promise<Void>()
        let server = try await BearerServer(heldBack: count, .refuses, release: release)
        try await kind.withTransport { transport in
            let interceptor = server.interceptor()
            let monitor = EndMonitor()
            let session = Session(transport: transport, interceptor: interceptor, eventMonitors: [monitor])
            async let outcome = results(count, session, server.request())
            await interceptor.waits(for: count)
            release.fulfill(())
            let errors = await outcome.map { result -> OAuth2Error? in
                if case .failure(let error as OAuth2Error) = result { error } else { nil }
            }
            #expect(errors == Array(repeating: .refused(.invalidGrant), count: count))
            #expect(server.refreshes == 1)
            #expect(server.accepted == 0)
            // One additional end belongs to the token's request.
            #expect(monitor.ends.filter { $0.hasPrefix("failed") }.count == count)
            #expect(monitor.ends.count == count + 1)
            // The error has the refusal's response.
            let record = RequestRecord()
            await #expect(throws: (any Error).self) {
                try await session.data(for: server.request(), record: record)
            }
            #expect(record.failedResponse?.statusCode == 401)
            #expect(server.refreshes == 2)
        }
        await server.shutDown()
    }

    @Test("a token that is refused after its refresh fails the request", arguments: TransportKind.allCases)
    func useless(kind: TransportKind) async throws {
        let server = try await BearerServer(.givesUseless)
        try await kind.withTransport { transport in
            let session = Session(transport: transport, interceptor: server.interceptor())
            await #expect(throws: AuthenticationError.excessiveRefresh) {
                try await session.data(for: server.request())
            }
            #expect(server.refreshes == 1)
            #expect(server.refused == 2)
        }
        await server.shutDown()
    }

    @Test(
        "ten concurrent requests succeed with tokens that are valid for three requests each",
        arguments: TransportKind.allCases
    )
    func usedUp(kind: TransportKind) async throws {
        let server = try await BearerServer(uses: 3)
        try await kind.withTransport { transport in
            let session = Session(transport: transport, interceptor: server.interceptor())
            let results = await results(10, session, server.request())
            #expect(results.compactMap { try? $0.get() } == Array(repeating: 200, count: 10), "\(results)")
            #expect(server.accepted == 10)
            // The first token is invalid.
            #expect(server.refreshes == 4)
        }
        await server.shutDown()
    }

    @Test(
        "cancelling a request that waits for a token ends only that request, and the refresh continues",
        arguments: TransportKind.allCases
    )
    func cancelled(kind: TransportKind) async throws {
        let release = Promise<Void>()
        let server = try await BearerServer(heldBack: 3, release: release)
        try await kind.withTransport { transport in
            let interceptor = server.interceptor()
            let session = Session(transport: transport, interceptor: interceptor)
            let tasks = (0..<3).map { _ in Task { try await session.data(for: server.request()).statusCode } }
            await interceptor.waits(for: 3)
            tasks[1].cancel()
            let error = await #expect(throws: URLError.self) { try await tasks[1].value }
            #expect(error?.code == .cancelled)
            await interceptor.waits(for: 2)
            release.fulfill(())
            for task in [tasks[0], tasks[2]] {
                let status = try await task.value
                #expect(status == 200)
            }
            #expect(server.refreshes == 1)
            #expect(server.accepted == 2)
        }
        await server.shutDown()
    }

    @Test(
        "a body that is not repeatable is not sent twice, and the refusal of its token starts the refresh",
        arguments: TransportKind.allCases
    )
    func bodyReadOnce(kind: TransportKind) async throws {
        let server = try await BearerServer()
        try await kind.withTransport { transport in
            let interceptor = server.interceptor()
            let session = Session(transport: transport, interceptor: interceptor)
            let response = try await session.data(
                for: server.request(method: "POST"),
                body: .stream(InputStream(data: Data("once".utf8)))
            )
            #expect(response.statusCode == 401)
            let status = try await session.data(for: server.request()).statusCode
            #expect(status == 200)
            #expect(server.refreshes == 1)
            #expect(server.refused == 1)
            #expect(server.accepted == 1)
        }
        await server.shutDown()
    }
}
