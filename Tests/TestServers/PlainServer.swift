import Foundation

/// A correct HTTP/1.1 server on a free loopback port.
///
/// - `GET /json`: an object.
/// - any method `/echo`: the request, as ``Echo``.
/// - any method `/status/{code}`: that status, with a body.
/// - `GET /redirect`: 302 to `/json`, with a body.
/// - `GET /bytes/{count}`: this number of bytes, with their length declared.
/// - `GET /chunks/{count}`: this number of chunks of 1,000 bytes each, without a length.
/// - `GET /gzip`: a text that is gzipped.
public struct PlainServer: Sendable {
    /// The response of `/echo`.
    public struct Echo: Codable, Equatable, Sendable {
        /// The request's method.
        public var method: String
        /// The request's path and query, as received.
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
        let server = try await HTTPServer { try await response(to: $0) }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(PlainServer(baseURL: server.baseURL)))
        } catch {
            result = .failure(error)
        }
        await server.shutDown()
        return try result.get()
    }

    /// A URL of the server.
    public func url(_ path: String) -> URL { URL(string: path, relativeTo: baseURL)?.absoluteURL ?? baseURL }

    private static func response(to request: HTTPServer.Request) async throws -> HTTPServer.Response {
        let path = request.path
        switch (request.head.method, path.first, path.dropFirst().first.map { Int($0) ?? 0 }) {
        case (_, "echo", nil):
            return try await echo(request)
        case (_, "status", let code?):
            return .init(.init(code: code), text: "status \(code)")
        case ("GET", "json", nil):
            return .init(headers: [.contentType: "application/json"], text: #"{"message":"hello","numbers":[1,2,3]}"#)
        case ("GET", "redirect", nil):
            return .init(.found, headers: [.location: "/json"], text: "elsewhere")
        case ("GET", "bytes", let count?):
            return .init(body: .bytes(Data(repeating: UInt8(ascii: "x"), count: count)))
        case ("GET", "chunks", let count?):
            let chunk = Data(repeating: UInt8(ascii: "x"), count: 1_000)
            return .init(body: .stream(length: nil) { writer in for _ in 0..<count { try await writer.write(chunk) } })
        case ("GET", "gzip", nil):
            return .init(headers: [.contentEncoding: "gzip"], body: .bytes(Data(gzippedHello)))
        default:
            return .init(.notFound)
        }
    }

    private static func echo(_ request: HTTPServer.Request) async throws -> HTTPServer.Response {
        let echo = Echo(
            method: request.head.method,
            uri: request.head.target,
            headers: Dictionary(
                request.head.fields.map { ($0.name, $0.value) },
                uniquingKeysWith: { "\($0), \($1)" }
            ),
            body: String(decoding: try await request.body(), as: UTF8.self)
        )
        return .init(headers: [.contentType: "application/json"], body: .bytes(try JSONEncoder().encode(echo)))
    }

    /// `hello, hello, hello, hello`, compressed once by gzip.
    private static let gzippedHello: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xd7,
        0x51, 0xc8, 0xc0, 0xa4, 0x00, 0x55, 0xa3, 0x82, 0x77, 0x1a, 0x00, 0x00, 0x00,
    ]
}
