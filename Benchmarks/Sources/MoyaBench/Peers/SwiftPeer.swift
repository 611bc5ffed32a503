import ArgumentParser
import Foundation
import Moya
import Workloads

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client in Swift that is compared with those of other languages.
enum SwiftPeer: String, CaseIterable, ExpressibleByArgument {
    case provider
    case session
    case asyncHTTPClient = "async-http-client"
    case urlSession = "urlsession"

    /// The name for readers.
    var title: String {
        switch self {
        case .provider: "provider"
        case .session: "Session"
        case .asyncHTTPClient: "AsyncHTTPClient"
        case .urlSession: "URLSession"
        }
    }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - base: The URL of the server.
    ///   - connections: The maximum number of connections to a host.
    ///   - certificate: The path of the certificate that is trusted.
    /// - Returns: The client.
    /// - Throws: ``BenchFailure`` for an invalid URL; an error of Moya's for an invalid certificate.
    func client(_ base: String, _ connections: Int, certificate: String?) throws -> PeerClient {
        guard let base = URL(string: base) else { throw BenchFailure("The URL is invalid.") }
        switch self {
        case .provider:
            let provider = MoyaProvider<BenchTarget>(session: try Self.makeSession(connections, certificate))
            return PeerClient(
                get: { try Self.check(await provider.request(BenchTarget(.user, at: base))) },
                post: { try Self.check(await provider.request(BenchTarget(.echo(.sample), at: base))) }
            )
        case .session:
            let client = SessionClient(session: try Self.makeSession(connections, certificate), base: base)
            return PeerClient(get: client.getDecoding, post: client.post)
        case .asyncHTTPClient:
            let client = RawClient.atItsBest(at: base, connections: connections, trusting: certificate)
            return PeerClient(get: client.getDecoding, post: client.post)
        case .urlSession:
            let configuration = URLSessionConfiguration.withDefaultHeaders
            configuration.httpMaximumConnectionsPerHost = connections
            let client = FoundationClient(session: URLSession(configuration: configuration), base: base)
            return PeerClient(get: client.getDecoding, post: client.post)
        }
    }

    private static func makeSession(_ connections: Int, _ certificate: String?) throws -> Session {
        let configuration = URLSessionConfiguration.withDefaultHeaders
        var connection = TransportConfiguration()
        connection.maximumConnectionsPerHost = connections
        if let certificate {
            let roots = try Certificate.certificates(contentsOf: URL(fileURLWithPath: certificate))
            connection.serverTrustManager = ServerTrustManager(trustedRoots: roots, includesSystemRoots: false)
        }
        let transport = try Session.makeTransport(connection: connection, configuration: configuration)
        return Session(transport: transport, configuration: configuration)
    }

    private static func check(_ response: Response) throws {
        guard try response.map(User.self) == User.sample else { throw BenchFailure("The response is wrong.") }
    }
}

/// The requests of one client, each of which checks its response.
struct PeerClient: Sendable {
    let get: @Sendable () async throws -> Void
    let post: @Sendable () async throws -> Void
}
