#if Observability && NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import MoyaHTTP
import TestServers

/// A server for the scenarios of spans and metrics.
///
/// - `/status/{code}`: that status, with a body of two bytes.
/// - `/elsewhere`: a redirect to `/status/200` at the host `other.test`.
/// - `/challenge`: 401 without `Authorization`, otherwise 200.
/// - `/busy-once`: 503, and then 200.
/// - `/lost`: on each connection, 200 for the first request, and no response to the second one.
/// - `/fresh`, `/stale`: a response to store for a minute, or to validate in the background.
/// - `/stream`: 100,000 bytes.
/// - `/echo`: the fields of the request, one in each line.
/// - `/never`: no response.
final class ObservedServer: Sendable {
    /// The path of each request that arrives.
    let requests: AsyncStream<String>
    let baseURL: URL
    private let server: HTTPServer

    init() async throws {
        let (requests, arrivals) = AsyncStream<String>.makeStream()
        let counts = Locked<[String: Int]>([:])
        server = try await HTTPServer { request in
            let path = request.path.first ?? ""
            let count = counts.withLock { counts -> Int in
                counts[path, default: 0] += 1
                return counts[path] ?? 0
            }
            arrivals.yield(path)
            return try await Self.response(to: request, path, count: count)
        }
        self.requests = requests
        baseURL = server.baseURL
    }

    func url(_ path: String) -> URL { URL(string: path, relativeTo: baseURL)?.absoluteURL ?? baseURL }

    var port: Int { baseURL.port ?? 0 }

    func shutDown() async { await server.shutDown() }

    private static func response(
        to request: HTTPServer.Request,
        _ path: String,
        count: Int
    ) async throws -> HTTPServer.Response {
        switch path {
        case "status": return .init(.init(code: request.path.last.flatMap { Int($0) } ?? 500), text: "ok")
        case "elsewhere":
            let port = request.head["host"]?.split(separator: ":").last ?? "80"
            return .init(.found, headers: [.location: "http://other.test:\(port)/status/200"])
        case "challenge":
            guard request.head["authorization"] != nil else {
                return .init(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"a\""])
            }
            return .init(text: "ok")
        case "busy-once": return count == 1 ? .init(.serviceUnavailable) : .init(text: "ok")
        case "lost":
            // The second request is the first one that follows another on its connection.
            if count == 2 { throw CancellationError() }
            return .init(text: "ok")
        case "fresh": return .init(headers: [.cacheControl: "max-age=60"], text: "ok")
        case "stale": return .init(headers: [.cacheControl: "max-age=0, stale-while-revalidate=60"], text: "ok")
        case "stream": return .init(body: .bytes(Data(repeating: 0x61, count: 100_000)))
        case "echo":
            return .init(
                text: request.head.fields.map { "\($0.name.lowercased()): \($0.value)" }.joined(separator: "\n")
            )
        case "never":
            await request.waitUntilClosed()
            throw CancellationError()
        default: return .init(.notFound)
        }
    }
}
#endif
