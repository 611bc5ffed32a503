#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import TestServers
import Testing

@testable import MoyaHTTP

@Suite("A TLS connection may end without a close alert", .timeLimit(.minutes(5)))
struct CloseNotifyTests {
    /// The bytes that the server sends before it closes the connection, and the default result.
    ///
    /// curl 7.88, Go 1.19 and Node.js 20 read the body of the first row, and report errors for all others.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var isReset = false
        var isRead = false

        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "until close", text: "HTTP/1.1 200 OK\r\n\r\nok", isRead: true),
        Row(name: "until close, HTTP/1.0", text: "HTTP/1.0 200 OK\r\n\r\nok", isRead: true),
        Row(name: "until close, no body", text: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", isRead: true),
        Row(name: "until close, a reset", text: "HTTP/1.1 200 OK\r\n\r\nok", isReset: true),
        Row(name: "a length", text: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok"),
        Row(name: "chunks", text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n"),
        Row(name: "a head", text: "HTTP/1.1 200 OK\r\n"),
        Row(name: "nothing", text: ""),
    ]

    @Test(
        "a body that the end of a TLS connection delimits is complete without the close alert, unless the alert is required",
        arguments: rows,
        [false, true]
    )
    func withoutAlert(_ row: Row, isRequired: Bool) async throws {
        let authority = try TestAuthority()
        let server = try await RawServer(tls: authority.issue().serverConfiguration()) { connection in
            guard try await connection.head() != nil else { return }
            try await connection.writer.write(row.text)
            try await connection.writer.closeWithoutAlert(reset: row.isReset)
        }
        var configuration = try TransportConfiguration(trusting: authority)
        configuration.requiresCloseNotify = isRequired
        let transport = try NIOTransport(connection: configuration)
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        try await transport.shutDown(after: {
            for bufferLimit in [0, 1_000] {
                let request = TransportRequest(method: .get, url: url, responseBufferLimit: bufferLimit)
                if row.isRead, !isRequired {
                    let body = try await transport.send(request).collected()
                    #expect(body == Data((row.text.hasSuffix("ok") ? "ok" : "").utf8))
                    continue
                }
                let error = await #expect(throws: URLError.self) {
                    try await transport.send(request).collected()
                }
                #expect(error?.code == .networkConnectionLost)
            }
        })
        await server.shutDown()
    }

    @Test(
        "a body that the end of a TLS connection delimits is complete with the close alert, whether it is required or not",
        arguments: [false, true]
    )
    func withAlert(isRequired: Bool) async throws {
        let authority = try TestAuthority()
        let server = try await RawServer(tls: authority.issue().serverConfiguration()) { connection in
            guard try await connection.head() != nil else { return }
            try await connection.writer.write("HTTP/1.1 200 OK\r\n\r\nok")
            try await connection.writer.close()
        }
        var configuration = try TransportConfiguration(trusting: authority)
        configuration.requiresCloseNotify = isRequired
        let transport = try NIOTransport(connection: configuration)
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        try await transport.shutDown(after: {
            let body = try await transport.send(TransportRequest(method: .get, url: url)).collected()
            #expect(body == Data("ok".utf8))
        })
        await server.shutDown()
    }
}
#endif
