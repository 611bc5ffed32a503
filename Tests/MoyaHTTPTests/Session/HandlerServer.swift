import Foundation
import TestServers

@testable import MoyaHTTP

/// A server that stores all requests with their bodies and responds with a function.
final class HandlerServer: Sendable {
    struct ReceivedRequest: Sendable {
        let head: RequestHead
        let body: String
        /// The number of earlier requests.
        let number: Int

        /// The method and the target.
        var line: String { "\(head.method) \(head.target)" }

        subscript(name: String) -> String? { head[name] }
    }

    struct Response: Sendable {
        var status = 200
        var headers: [String] = []
        var body = ""
        /// No response is sent; the server waits until the client closes the connection.
        var isMissing = false

        static let missing = Response(isMissing: true)

        static func ok(_ body: String = "", _ headers: String...) -> Response { Response(headers: headers, body: body) }

        static func redirect(_ status: Int = 302, to location: String, _ headers: String...) -> Response {
            Response(status: status, headers: ["Location: \(location)"] + headers, body: "moved")
        }
    }

    /// A request without a response has arrived.
    let waiting = Promise<Void>()
    /// The client has closed the connection of a request without a response.
    let abandoned = Promise<Void>()

    private let record: Locked<[ReceivedRequest]>
    private let server: RawServer

    init(_ response: @escaping @Sendable (ReceivedRequest) throws -> Response) async throws {
        let record = Locked<[ReceivedRequest]>([])
        self.record = record
        server = try await RawServer { [waiting, abandoned] connection in
            while let head = try await connection.head() {
                let body = String(decoding: try await connection.body(), as: UTF8.self)
                let seen = record.withLock { all in
                    let seen = ReceivedRequest(head: head, body: body, number: all.count)
                    all.append(seen)
                    return seen
                }
                let response = try response(seen)
                guard !response.isMissing else {
                    waiting.fulfill(())
                    await connection.waitUntilClosed()
                    abandoned.fulfill(())
                    return
                }
                let lines =
                    ["HTTP/1.1 \(response.status) Some Status"] + response.headers
                    + ["Content-Length: \(response.body.utf8.count)", "", ""]
                let text = lines.joined(separator: "\r\n")
                try await connection.writer.write(head.method == "HEAD" ? text : text + response.body)
            }
        }
    }

    /// All requests in order.
    var seen: [ReceivedRequest] { record.withLock { $0 } }

    /// The methods and targets of all requests.
    var lines: [String] { seen.map(\.line) }

    /// Returns a URL of the server.
    func url(_ path: String = "/") -> URL { server.url(path) }

    /// Returns a URL with the host's name in place of its address: another origin, and another host for cookies.
    func named(_ path: String = "/") -> String { "http://localhost:\(server.port)\(path)" }

    func shutDown() async { await server.shutDown() }

    /// Runs a test with a server and stops it.
    static func run(
        _ response: @escaping @Sendable (ReceivedRequest) throws -> Response,
        _ test: (HandlerServer) async throws -> Void
    ) async throws {
        let server = try await HandlerServer(response)
        do {
            try await test(server)
        } catch {
            await server.shutDown()
            throw error
        }
        await server.shutDown()
    }
}
