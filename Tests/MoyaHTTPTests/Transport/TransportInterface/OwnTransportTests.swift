import Foundation
import MoyaHTTP
import TestServers
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if AsyncHTTPClient && !canImport(Darwin)
import AsyncHTTPClient
import MoyaAsyncHTTPClient
#endif

// The example of HTTPTransport's documentation, unchanged.
struct CountingTransport: HTTPTransport {
    let base: any HTTPTransport
    let count: @Sendable () -> Void

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        count()
        return try await base.send(request)
    }

    func shutdown() async { await base.shutdown() }
}

@Suite("An application can supply a transport")
struct OwnTransportTests {
    @Test("the documentation's example of a transport works in a session")
    func counting() async throws {
        try await PlainServer.run { server in
            let count = Locked(0)
            let transport = CountingTransport(base: Session().transport) { count.withLock { $0 += 1 } }
            let session = Session(transport: transport)
            for _ in 0..<3 {
                let response = try await session.data(for: URLRequest(url: server.url("/json")))
                #expect(response.statusCode == 200)
            }
            #expect(count.withLock { $0 } == 3)
            await transport.shutdown()
        }
    }

    #if AsyncHTTPClient && !canImport(Darwin)
    @Test("AsyncHTTPClientTransport uses the application's client, which stays running")
    func ownClient() async throws {
        try await PlainServer.run { server in
            let client = HTTPClient(
                eventLoopGroupProvider: .singleton,
                configuration: .init(redirectConfiguration: .disallow)
            )
            do {
                let transport = AsyncHTTPClientTransport(client: client)
                let session = Session(transport: transport)
                let response = try await session.data(for: URLRequest(url: server.url("/json")))
                #expect(response.statusCode == 200)
                await transport.shutdown()
            }
            let response = try await client.get(url: server.url("/json").absoluteString).get()
            #expect(response.status.code == 200)
            try await client.shutdown()
        }
    }

    @Test("a client that its owner has shut down refuses requests of the transport")
    func afterClientShutdown() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        try await client.shutdown()
        let error = await #expect(throws: URLError.self) {
            try await AsyncHTTPClientTransport(client: client).send(TransportRequest(method: .get, url: url))
        }
        #expect(error?.code == .cancelled)
    }
    #endif

    @Test(
        "a request after the shutdown of an application's transport fails without a trap",
        arguments: TransportKind.allCases
    )
    func afterShutdown(kind: TransportKind) async throws {
        let transport = kind.make()
        await transport.shutdown()
        await transport.shutdown()
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        let error = await #expect(throws: URLError.self) {
            try await transport.send(TransportRequest(method: .get, url: url))
        }
        #expect(error?.code == .resourceUnavailable)
        #expect(error?.isShutdown == true)
    }

    @Test(
        "requests that are sent during a shutdown of the transport end, and nothing traps",
        arguments: TransportKind.allCases
    )
    func duringShutdown(kind: TransportKind) async throws {
        try await PlainServer.run { server in
            let transport = kind.make()
            let url = server.url("/json")
            let codes = await withTaskGroup { group in
                for _ in 0..<200 {
                    group.addTask {
                        let result = await Result.of {
                            try await transport.send(TransportRequest(method: .get, url: url)).collected()
                        }
                        if case .failure(let error) = result { return (error as? URLError)?.code ?? .unknown }
                        return URLError.Code.cancelled
                    }
                }
                group.addTask {
                    await transport.shutdown()
                    return URLError.Code.cancelled
                }
                return await group.reduce(into: Set<URLError.Code>()) { $0.insert($1) }
            }
            #expect(codes.isSubset(of: [.cancelled, .resourceUnavailable]))
        }
    }
}
