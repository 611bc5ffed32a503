import ArgumentParser
import Foundation
import Moya
import Synchronization
import Workloads

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client in Swift that is compared with clients in other languages.
enum SwiftPeer: String, CaseIterable, ExpressibleByArgument {
    case provider
    case providerOnLoops = "provider-on-loops"
    case session
    case asyncHTTPClient = "async-http-client"
    case urlSession = "urlsession"
    case bareNIO = "nio-bare"

    /// The name for readers.
    var title: String {
        switch self {
        case .provider: "provider"
        case .providerOnLoops: "provider on event loops"
        case .session: "Session"
        case .asyncHTTPClient: "AsyncHTTPClient"
        case .urlSession: "URLSession"
        case .bareNIO: "SwiftNIO, bare"
        }
    }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - base: The URL of the server; with a range of origins for the provider: `http://127.0.0.[1-200]:8080`.
    ///   - connections: The maximum number of connections to a host.
    ///   - certificate: The path of the certificate that is trusted.
    /// - Returns: The client.
    /// - Throws: ``BenchFailure`` for an invalid URL; an error of the client for an invalid certificate.
    func client(_ base: String, connections: Int, certificate: String?) async throws -> PeerClient {
        let bases = try Self.expand(base)
        switch self {
        case .provider:
            let session = try Self.makeSession(connections, certificate)
            return Self.client(of: MoyaProvider(session: session), bases)
        case .providerOnLoops:
            let session = try Self.makeSession(connections, certificate)
            return Self.client(of: MoyaProvider(session: session), bases, on: session.taskExecutors)
        case .session:
            let client = SessionClient(session: try Self.makeSession(connections, certificate), base: bases[0])
            return PeerClient(get: client.getDecoding, post: client.post)
        case .asyncHTTPClient:
            let client = RawClient.withBestConfiguration(at: bases[0], connections: connections, trusting: certificate)
            return PeerClient(get: client.getDecoding, post: client.post)
        case .urlSession:
            let configuration = URLSessionConfiguration.withDefaultHeaders
            configuration.httpMaximumConnectionsPerHost = connections
            let client = FoundationClient(session: URLSession(configuration: configuration), base: bases[0])
            return PeerClient(get: client.getDecoding, post: client.post)
        case .bareNIO:
            let client = try await BareClient(bases[0], connections: connections, certificate: certificate)
            return PeerClient(measure: client.measure)
        }
    }

    private static func client(
        of provider: MoyaProvider<BenchTarget>,
        _ bases: [URL],
        on executors: [any TaskExecutor] = []
    ) -> PeerClient {
        let turns = Turns(count: bases.count)
        var client = PeerClient(
            get: { try check(await provider.request(BenchTarget(.user, at: bases[turns.next()]))) },
            post: { try check(await provider.request(BenchTarget(.echo(.sample), at: bases[turns.next()]))) },
            on: executors
        )
        client.transfers = PeerClient.Transfers(
            download: { size, file in
                if let file {
                    use(try await provider.request(BenchTarget(.download(size, to: file), at: bases[0])))
                    return
                }
                let response = try await provider.stream(BenchTarget(.bytes(size), at: bases[0]))
                var count: Int64 = 0
                for try await piece in response.body { count += Int64(piece.count) }
                guard count == size else { throw BenchFailure("\(count) bytes came.") }
            },
            upload: { file in try check(await provider.request(BenchTarget(.file(file), at: bases[0]))) }
        )
        return client
    }

    /// Returns the URLs of a range: `http://127.0.0.[1-200]:8080`.
    private static func expand(_ pattern: String) throws -> [URL] {
        let parts = pattern.split(separator: "[1-", maxSplits: 1).map(String.init)
        let rest = parts.count > 1 ? parts[1].split(separator: "]", maxSplits: 1).map(String.init) : []
        let texts =
            rest.count == 2 ? (1...max(1, Int(rest[0]) ?? 1)).map { "\(parts[0])\($0)\(rest[1])" } : [pattern]
        return try texts.map {
            guard let url = URL(string: $0) else { throw BenchFailure("The URL is invalid.") }
            return url
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

/// Returns the index of the next origin for each request.
private final class Turns: Sendable {
    private let count: Int
    private let place = Atomic(0)

    init(count: Int) { self.count = count }

    func next() -> Int { count == 1 ? 0 : place.wrappingAdd(1, ordering: .relaxed).oldValue % count }
}

/// The operations of one client.
struct PeerClient: Sendable {
    /// The transfers of large bodies.
    struct Transfers: Sendable {
        /// Downloads the given number of bytes into a file, or discards them if there is no file.
        let download: @Sendable (Int64, URL?) async throws -> Void
        let upload: @Sendable (URL) async throws -> Void
    }

    /// Sends small requests (with POST or not) for a time, with a number of concurrent loops.
    let measure: @Sendable (_ isPost: Bool, _ concurrency: Int, _ time: Duration) async throws -> Slice
    var transfers: Transfers?

    init(measure: @escaping @Sendable (Bool, Int, Duration) async throws -> Slice) { self.measure = measure }

    /// Creates a client from its requests, each of which checks its response, and the executors of the tasks that send them, if any.
    init(
        get: @escaping @Sendable () async throws -> Void,
        post: @escaping @Sendable () async throws -> Void,
        on executors: [any TaskExecutor] = []
    ) {
        self.init { isPost, concurrency, time in
            try await Slice.measure(concurrency: concurrency, for: time, on: executors, request: isPost ? post : get)
        }
    }
}
