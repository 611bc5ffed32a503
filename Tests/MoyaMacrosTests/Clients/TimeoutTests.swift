#if Macros
import MoyaMacros
import TestServers
import TestSupport
import Testing

@API("https://timed.example") @Timeout(total: .seconds(60), connect: .seconds(2))
protocol Timed: Sendable {
    @GET("/plain") func plain() async throws -> Response
    @GET("/neverResponds") @Timeout(total: .milliseconds(300), firstByte: .seconds(50)) func slow() async throws
        -> Response
    @GET("/usual") @Timeout(5, total: nil) func usual() async throws -> Response
}

@Suite("The attribute @Timeout limits the times of requests", .timeLimit(.minutes(5)))
struct RequestTimeoutsAttributeTests {
    @Test("a target has the times of its method, or of the protocol")
    func values() {
        #expect(TimedAPI.plain.timeouts == RequestTimeouts(total: .seconds(60), connect: .seconds(2)))
        #expect(
            TimedAPI.slow.timeouts
                == RequestTimeouts(total: .milliseconds(300), connect: .seconds(2), firstByte: .seconds(50))
        )
        #expect(TimedAPI.usual.timeouts == RequestTimeouts(connect: .seconds(2)))
        #expect(TimedAPI.usual.timeoutInterval == 5)
        #expect(TimedAPI.plain.timeoutInterval == nil)
    }

    @Test("a client's requests have these times, and inherit others from the provider")
    func requests() async throws {
        let sent = Recorder<(connect: Duration?, pool: Duration?, firstByte: Duration?)>()
        let transport = FakeTransport { request in
            sent.add((request.connectTimeout, request.connectionPoolTimeout, request.firstByteTimeout))
            return TransportResponse(status: 200)
        }
        let provider = MoyaProvider<TimedAPI>(
            session: Session(transport),
            timeouts: RequestTimeouts(connect: .seconds(7), pool: .seconds(8))
        )
        let client = TimedClient(provider: provider)
        _ = try await client.plain()
        _ = try await client.slow()
        #expect(sent.values.map(\.connect) == [.seconds(2), .seconds(2)])
        #expect(sent.values.map(\.pool) == [.seconds(8), .seconds(8)])
        #expect(sent.values.map(\.firstByte) == [nil, .seconds(50)])
    }

    @Test("the total time ends a request to a server that does not respond")
    func server() async throws {
        let server = try await MisbehavingServer()
        let client = TimedClient(baseURL: URL(string: "http://127.0.0.1:\(server.port)"))
        let error = await #expect(throws: MoyaError.self) { try await client.slow() }
        #expect(error?.urlError?.timeout == RequestTimeoutError(kind: .total, limit: .milliseconds(300)))
        try await server.shutDown()
    }
}
#endif
