import AsyncHTTPClient
import Foundation
import Moya
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOSSL
import Workloads

/// The client that uses AsyncHTTPClient as documented, without the layer.
final class RawClient: Sendable {
    let client: HTTPClient
    let url: String

    private init(client: HTTPClient, url: String) {
        self.client = client
        self.url = url
    }

    deinit { client.shutdown { _ in } }

    /// The headers that the layer sends.
    static let headers = NIOHTTP1.HTTPHeaders(
        HTTPHeaders.default.map { ($0.name, $0.value) } + BenchTarget.headers.map { ($0.key, $0.value) }
    )

    /// Creates a client that is configured like the layer: one event loop, six connections per host, no redirects.
    static func configuredLikeTheLayer(at base: URL) -> RawClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 6
        return RawClient(
            client: HTTPClient(
                eventLoopGroup: HTTPClient.defaultEventLoopGroup.next(),
                configuration: configuration
            ),
            url: base.absoluteString
        )
    }

    /// Creates a client with the default configuration: all event loops, eight connections per host.
    static func withDefaultConfiguration(at base: URL) -> RawClient {
        RawClient(client: HTTPClient(), url: base.absoluteString)
    }

    /// Creates a client with its fastest configuration: all event loops, and the given number of connections.
    ///
    /// - Parameters:
    ///   - base: The URL of the server.
    ///   - connections: The maximum number of connections to a host.
    ///   - certificate: The path of the certificate that is trusted.
    /// - Returns: The client.
    static func withBestConfiguration(at base: URL, connections: Int, trusting certificate: String?) -> RawClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let certificate { tls.trustRoots = .file(certificate) }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        return RawClient(
            client: HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration),
            url: base.absoluteString
        )
    }

    /// Creates a client that accepts the server's self-signed certificate.
    static func trusting(_ base: URL) -> RawClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        let configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        return RawClient(
            client: HTTPClient(
                eventLoopGroup: HTTPClient.defaultEventLoopGroup.next(),
                configuration: configuration
            ),
            url: base.absoluteString
        )
    }

    /// Sends a GET request with the async API.
    func get() async throws {
        var request = HTTPClientRequest(url: "\(url)/user")
        request.headers = Self.headers
        let response = try await client.execute(request, timeout: .seconds(60))
        try check(response.status, try await response.body.collect(upTo: Session.defaultMaximumBodySize))
    }

    /// Sends a GET request with the async API, and decodes the response.
    func getDecoding() async throws {
        var request = HTTPClientRequest(url: "\(url)/user")
        request.headers = Self.headers
        let response = try await client.execute(request, timeout: .seconds(60))
        try check(decoding: try await response.body.collect(upTo: Session.defaultMaximumBodySize))
    }

    /// Sends a POST request with the async API, and the layer's encoder and decoder.
    func post() async throws {
        var request = HTTPClientRequest(url: "\(url)/echo")
        request.method = .POST
        request.headers = Self.headers
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(data: try JSONEncoder().encode(User.sample)))
        let response = try await client.execute(request, timeout: .seconds(60))
        try check(decoding: try await response.body.collect(upTo: Session.defaultMaximumBodySize))
    }

    /// Sends a GET request with the future-based API.
    func getByFuture() async throws {
        let request = try HTTPClient.Request(url: "\(url)/user", headers: Self.headers)
        let response = try await client.execute(request: request).get()
        try check(response.status, response.body ?? ByteBuffer())
    }

    /// Sends a POST request with the future-based API.
    func postByFuture() async throws {
        var headers = Self.headers
        headers.add(name: "Content-Type", value: "application/json")
        let request = try HTTPClient.Request(
            url: "\(url)/echo",
            method: .POST,
            headers: headers,
            body: .byteBuffer(ByteBuffer(data: try JSONEncoder().encode(User.sample)))
        )
        try check(decoding: try await client.execute(request: request).get().body ?? ByteBuffer())
    }

    private func check(_ status: HTTPResponseStatus, _ body: ByteBuffer) throws {
        guard status == .ok, body.readableBytes == User.json.count else { throw BenchFailure("The response is wrong.") }
    }

    private func check(decoding body: ByteBuffer) throws {
        guard try JSONDecoder().decode(User.self, from: body) == User.sample else {
            throw BenchFailure("The response is wrong.")
        }
    }
}
