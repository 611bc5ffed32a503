#if NIO && !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import TestServers
    import TestSupport
    import Testing

    @testable import MoyaHTTP

    @Suite("The body of a response that nobody reads does not keep its connection", .timeLimit(.minutes(5)))
    struct UnreadBodyTests {
        /// Answers `/long` by a response whose body has no end, and everything else by 200.
        private static func server(_ head: String) async throws -> RawServer {
            try await RawServer { connection in
                while let received = try await connection.head() {
                    guard received.path == "/long", received["Authorization"] == nil else {
                        try await connection.writer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                        continue
                    }
                    try await connection.writer.write("HTTP/1.1 \(head)\r\nTransfer-Encoding: chunked\r\n\r\n")
                    let piece = String(repeating: "x", count: 0x8000)
                    while true { try await connection.writer.write("8000\r\n\(piece)\r\n") }
                }
            }
        }

        @Test(
            "a redirect and a challenge, with one connection",
            arguments: ["302 Found\r\nLocation: /short", "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\""]
        )
        func oneConnection(head: String) async throws {
            let server = try await Self.server(head)
            let transport = NIOTransport(maximumConnectionsPerHost: 1)
            try await transport.shutDown(after: {
                let session = Session.alone(on: transport)
                let response = try await session.data(
                    for: URLRequest(url: server.url("/long")),
                    options: .user("u", "p")
                )
                #expect(response.statusCode == 200)
                #expect(response.data == Data("ok".utf8))
            })
            await server.shutDown()
        }
    }
#endif
