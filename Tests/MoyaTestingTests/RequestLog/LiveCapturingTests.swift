import Foundation
import TestServers
import TestSupport
import Testing

@testable import MoyaTesting

@Suite("Requests are captured from real sockets", .timeLimit(.minutes(5)))
struct LiveCapturingTests {
    enum Engine: CaseIterable {
        case usual, urlSession

        var transport: any HTTPTransport {
            switch self {
            case .usual: Session().transport
            case .urlSession: URLSessionTransport()
            }
        }
    }

    @Test("the captured bodies of every kind equal the bodies that the server received", arguments: Engine.allCases)
    func bodies(_ engine: Engine) async throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "file ", count: 100_000), to: "f")
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 % 251) })
        let half = data.count / 2
        let pieces = AsyncStream<Data> { stream in
            stream.yield(data.prefix(half))
            stream.yield(data.dropFirst(half))
            stream.finish()
        }
        var bodies: [HTTPBody] = [.data(data), .file(folder.file("f")), .stream(InputStream(data: data))]
        let server = try await ReactingServer { _ in .respond(201) }
        let live = engine.transport
        // URLSession cannot send asynchronous sequences; it is the usual transport without the trait NIO.
        if !(live is URLSessionTransport) { bodies.append(.sequence(pieces)) }
        let transport = CapturingTransport(over: live)
        for body in bodies {
            _ = try await transport.ask(server.url("/a").absoluteString, method: .post, body: body)
        }
        let requests = try await transport.log.wait(for: bodies.count, timeout: .zero)
        #expect(requests.map(\.body) == server.requests.map(\.body))
        #expect(requests.map(\.bodySize) == Array([300_000, 500_000, 300_000, 300_000].prefix(bodies.count)))
        #expect(requests.allSatisfy { $0.status == 201 })
        try requests.expect(.post("/a").body(data), times: bodies.count - 1)
        await transport.shutdown()
        await server.shutDown()
        await #expect(throws: (any Error).self) { try await transport.ask(server.url("/a").absoluteString) }
        #expect(transport.requests.last?.error is URLError)
    }
}
