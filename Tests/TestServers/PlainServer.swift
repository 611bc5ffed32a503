import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// A well-behaved HTTP/1.1 server on a free loopback port.
///
/// - `GET /json`: an object.
/// - any method `/echo`: what arrived, as ``Echo``.
/// - any method `/status/{code}`: that status, with a body.
/// - `GET /redirect`: 302 to `/json`, with a body.
/// - `GET /bytes/{count}`: so many bytes, with their length declared.
/// - `GET /chunks/{count}`: so many chunks of 1,000 bytes each, without a length.
/// - `GET /gzip`: a text that is gzipped.
public struct PlainServer: Sendable {
    /// The response of `/echo`.
    public struct Echo: Codable, Equatable, Sendable {
        /// The request's method.
        public var method: String
        /// The request's path and query, as they came.
        public var uri: String
        /// The request's headers, names in lower case.
        public var headers: [String: String]
        /// The request's body as text.
        public var body: String
    }

    /// The server's root.
    public let baseURL: URL

    /// Starts a server, runs a function with it, and stops it.
    public static func run<Value: Sendable>(
        _ body: @Sendable (PlainServer) async throws -> Value
    ) async throws -> Value {
        let (ports, portsEnd) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: "PlainServer")
        logger.logLevel = .critical
        let application = Application(
            router: router(),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in portsEnd.yield(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        let services = ServiceGroup(configuration: .init(services: [application], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // A server that cannot start has no port.
                defer { portsEnd.finish() }
                try await services.run()
            }
            var port = 0
            for await started in ports {
                port = started
                break
            }
            if port == 0 { try await group.waitForAll() }
            guard let baseURL = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(PlainServer(baseURL: baseURL)))
            } catch {
                result = .failure(error)
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
            return try result.get()
        }
    }

    /// A URL of the server.
    public func url(_ path: String) -> URL { URL(string: path, relativeTo: baseURL)?.absoluteURL ?? baseURL }

    private static func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("json") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: .init(byteBuffer: .init(string: #"{"message":"hello","numbers":[1,2,3]}"#))
            )
        }
        for method: HTTPRequest.Method in [.get, .post, .put, .patch, .delete, .options, .head] {
            router.on("echo", method: method) { request, _ in try await echo(request) }
            router.on("status/:code", method: method) { _, context in
                let code = context.parameters.get("code", as: Int.self) ?? 200
                return Response(status: .init(code: code), body: .init(byteBuffer: .init(string: "status \(code)")))
            }
        }
        router.get("redirect") { _, _ in
            Response(status: .found, headers: [.location: "/json"], body: .init(byteBuffer: .init(string: "elsewhere")))
        }
        router.get("bytes/:count") { _, context in
            let count = context.parameters.get("count", as: Int.self) ?? 0
            return Response(status: .ok, body: .init(byteBuffer: .init(repeating: UInt8(ascii: "x"), count: count)))
        }
        router.get("chunks/:count") { _, context in
            let count = context.parameters.get("count", as: Int.self) ?? 0
            return Response(
                status: .ok,
                body: .init { writer in
                    for _ in 0..<count { try await writer.write(.init(repeating: UInt8(ascii: "x"), count: 1_000)) }
                    try await writer.finish(nil)
                }
            )
        }
        router.get("gzip") { _, _ in
            Response(
                status: .ok,
                headers: [.contentEncoding: "gzip"],
                body: .init(byteBuffer: .init(bytes: gzippedHello))
            )
        }
        return router
    }

    private static func echo(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 1 << 20)
        let echo = Echo(
            method: request.method.rawValue,
            uri: request.uri.string,
            headers: Dictionary(
                request.headers.map { ($0.name.canonicalName, $0.value) },
                uniquingKeysWith: { "\($0), \($1)" }
            ),
            body: String(buffer: body)
        )
        return Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: .init(byteBuffer: .init(data: try JSONEncoder().encode(echo)))
        )
    }

    /// `hello, hello, hello, hello`, compressed once by gzip.
    private static let gzippedHello: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xd7,
        0x51, 0xc8, 0xc0, 0xa4, 0x00, 0x55, 0xa3, 0x82, 0x77, 0x1a, 0x00, 0x00, 0x00,
    ]
}
