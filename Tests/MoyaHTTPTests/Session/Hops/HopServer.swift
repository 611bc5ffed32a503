import Foundation
import TestServers

@testable import MoyaHTTP

/// A server that stores all requests with their bodies, and responds with a function.
final class HopServer: Sendable {
    struct Seen: Sendable {
        let head: RequestHead
        let body: String
        /// How many requests came before it.
        let number: Int

        /// The method and the target.
        var line: String { "\(head.method) \(head.target)" }

        subscript(name: String) -> String? { head[name] }
    }

    struct Answer: Sendable {
        var status = 200
        var headers: [String] = []
        var body = ""
        /// Nothing is answered; the server waits until the client closes the connection.
        var isMissing = false

        static let missing = Answer(isMissing: true)

        static func ok(_ body: String = "", _ headers: String...) -> Answer { Answer(headers: headers, body: body) }

        static func redirect(_ status: Int = 302, to location: String, _ headers: String...) -> Answer {
            Answer(status: status, headers: ["Location: \(location)"] + headers, body: "moved")
        }
    }

    /// A request that gets no answer is there.
    let waiting = OneShot<Void>()
    /// The client has closed the connection of a request that got no answer.
    let abandoned = OneShot<Void>()

    private let record: Locked<[Seen]>
    private let server: RawServer

    init(_ answer: @escaping @Sendable (Seen) throws -> Answer) async throws {
        let record = Locked<[Seen]>([])
        self.record = record
        server = try await RawServer { [waiting, abandoned] connection in
            while let head = try await connection.head() {
                let body = String(decoding: try await connection.body(), as: UTF8.self)
                let seen = record.withLock { all in
                    let seen = Seen(head: head, body: body, number: all.count)
                    all.append(seen)
                    return seen
                }
                let answer = try answer(seen)
                guard !answer.isMissing else {
                    waiting.fulfil(())
                    await connection.waitUntilClosed()
                    abandoned.fulfil(())
                    return
                }
                let lines =
                    ["HTTP/1.1 \(answer.status) Some Status"] + answer.headers
                    + ["Content-Length: \(answer.body.utf8.count)", "", ""]
                let text = lines.joined(separator: "\r\n")
                try await connection.writer.write(head.method == "HEAD" ? text : text + answer.body)
            }
        }
    }

    /// All requests in their order.
    var seen: [Seen] { record.withLock { $0 } }

    /// Methods and targets.
    var lines: [String] { seen.map(\.line) }

    /// A URL of the server.
    func url(_ path: String = "/") -> URL { server.url(path) }

    /// The same by the host's name: another origin, and another host to cookies.
    func named(_ path: String = "/") -> String { "http://localhost:\(server.port)\(path)" }

    func shutDown() async { await server.shutDown() }

    /// Runs a test with a server, and shuts that down.
    static func run(
        _ answer: @escaping @Sendable (Seen) throws -> Answer,
        _ test: (HopServer) async throws -> Void
    ) async throws {
        let server = try await HopServer(answer)
        do {
            try await test(server)
        } catch {
            await server.shutDown()
            throw error
        }
        await server.shutDown()
    }
}
