import Foundation
import MoyaHTTP
import TestServers

/// A transport with a version of HTTP, and with or without TLS.
enum TransportVersion: String, CaseIterable, Sendable {
    #if NIO && !canImport(Darwin)
    case nio
    case nioOverTLS
    case nioOverHTTP2
    #endif
    #if AsyncHTTPClient && !canImport(Darwin)
    case asyncHTTPClient
    #endif
    case urlSession

    /// The versions of `NIOTransport`, which sends trailers, and reads a response while it sends the body.
    static let ofNIO: [TransportVersion] = allCases.filter { $0.rawValue.hasPrefix("nio") }
    /// The versions of HTTP/1.1.
    static let ofHTTP1: [TransportVersion] = allCases.filter { !$0.isHTTP2 }

    var isHTTP2: Bool { rawValue == "nioOverHTTP2" }

    /// Runs a test with a transport and a server.
    func run(
        _ handle: @escaping @Sendable (ServedExchange) async throws -> Void,
        then body: (any HTTPTransport, ExchangeServer) async throws -> Void
    ) async throws {
        let (transport, server) = try await make(handle)
        try await transport.shutDown(after: { try await body(transport, server) })
        await server.shutDown()
    }

    private func make(
        _ handle: @escaping @Sendable (ServedExchange) async throws -> Void
    ) async throws -> (any HTTPTransport, ExchangeServer) {
        switch self {
        #if NIO && !canImport(Darwin)
        case .nio: return (NIOTransport(), try await ExchangeServer(handle))
        case .nioOverTLS, .nioOverHTTP2:
            let authority = try TestAuthority()
            let identity = try authority.issue()
            return (
                try NIOTransport(connection: TransportConfiguration(trusting: authority)),
                try await ExchangeServer(tls: identity.serverConfiguration(), http2: isHTTP2, handle)
            )
        #endif
        #if AsyncHTTPClient && !canImport(Darwin)
        case .asyncHTTPClient: return (TransportKind.asyncHTTPClient.make(), try await ExchangeServer(handle))
        #endif
        case .urlSession: return (TransportKind.urlSession.make(), try await ExchangeServer(handle))
        }
    }

    /// Runs a test with a session, which shares nothing with others, and a server.
    func withSession(
        _ handle: @escaping @Sendable (ServedExchange) async throws -> Void,
        then body: (Session, ExchangeServer) async throws -> Void
    ) async throws {
        try await run(handle) { transport, server in try await body(Session.alone(on: transport), server) }
    }
}

/// A request as a server has received it.
struct ReceivedExchange: Codable, Equatable, Sendable {
    struct Field: Codable, Equatable, Sendable {
        var name: String
        var value: String
    }

    var method: String
    var target: String
    var fields: [Field]
    var body: String
    /// The lines of the trailers.
    var trailers: [String]

    /// Reads a request to its end.
    init(_ exchange: ServedExchange) async throws {
        body = String(decoding: try await exchange.body(), as: UTF8.self)
        (method, target) = (exchange.method, exchange.target)
        fields = exchange.fields.map { Field(name: $0.name, value: $0.value) }
        trailers = exchange.trailers.map { "\($0.name): \($0.value)" }
    }

    /// Responds to a request with what was received of it.
    static func echo(_ exchange: ServedExchange) async throws {
        let received = try await ReceivedExchange(exchange)
        try await exchange.respond(body: JSONEncoder().encode(received))
    }

    /// The values of a field, of which a transport may join several by commas.
    func values(_ name: String) -> [String] {
        fields.filter { $0.name == name.lowercased() }.flatMap { $0.value.components(separatedBy: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

extension SessionResponse {
    /// The request that the server has received and returned.
    var received: ReceivedExchange { get throws { try JSONDecoder().decode(ReceivedExchange.self, from: data) } }
}
