#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import MoyaHTTP

/// A separate session for one check, and the peer's address.
struct PeerClient: Sendable {
    let address: PeerAddress
    let version: Peer.Version
    let session: Session

    init(_ address: PeerAddress, _ version: Peer.Version) throws {
        self.address = address
        self.version = version
        var connection = TransportConfiguration()
        connection.httpVersion = version == .http2 ? .automatic : .http1Only
        connection.maximumConnectionsPerHost = 64
        let trust = PinnedCertificatesTrustEvaluator(
            certificates: try Certificate.certificates(contentsOf: address.authority),
            acceptSelfSignedCertificates: true
        )
        connection.serverTrustManager = ServerTrustManager(evaluators: ["127.0.0.1": trust])
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 20
        configuration.timeoutIntervalForResource = 60
        session = Session(
            transport: try NIOTransport(connection: connection),
            configuration: configuration
        )
    }

    func request(
        _ method: String = "GET",
        _ path: String,
        at server: String = "main",
        headers: [String: String] = [:]
    ) throws -> URLRequest {
        guard let base = address.urls[server], let url = URL(string: path, relativeTo: base) else {
            throw CheckFailure("there is no server \"\(server)\"")
        }
        var request = URLRequest(url: url.absoluteURL)
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// Sends a request and returns the response with any status.
    func send(
        _ method: String = "GET",
        _ path: String,
        at server: String = "main",
        headers: [String: String] = [:],
        body: HTTPBody? = nil
    ) async throws -> SessionResponse {
        try await session.data(for: request(method, path, at: server, headers: headers), body: body)
    }

    /// Sends a request that must return a status.
    @discardableResult
    func send(
        _ method: String = "GET",
        _ path: String,
        at server: String = "main",
        headers: [String: String] = [:],
        body: HTTPBody? = nil,
        expecting status: Int
    ) async throws -> SessionResponse {
        let response = try await send(method, path, at: server, headers: headers, body: body)
        try expect(response.statusCode == status, "status \(response.statusCode) in place of \(status)")
        return response
    }

    /// Sends many requests and counts their outcomes: the status, or the error.
    func tally(
        _ count: Int,
        concurrency: Int,
        into tally: Tally = Tally(),
        _ body: @escaping @Sendable (Int) async throws -> SessionResponse
    ) async throws -> Tally {
        try await forEach(below: count, concurrency: concurrency) { number in
            do {
                tally.add("\(try await body(number).statusCode)")
            } catch {
                tally.add(error.summary)
            }
        }
        return tally
    }
}

extension Tally {
    /// Throws unless each of this many requests had one of the outcomes.
    func expectOnly(_ outcomes: String..., of count: Int) throws -> String {
        try expect(outcomes.reduce(0) { $0 + self[$1] } == count, text)
        return text
    }
}
#endif
