#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat

/// A transport with its own connections over SwiftNIO: HTTP/1.1 (RFC 9112) and, if negotiated in TLS, HTTP/2
/// (RFC 9113).
///
/// It is the default on Linux. It is available if the package trait `NIO` is on (the default;
/// `traits: []` turns it off), and not on Apple platforms.
///
/// A session decodes the responses (``ContentCoding``). Connections are kept alive and shared by all requests to an
/// origin: scheme, host and port.
public final class NIOTransport: HTTPTransport, TimedTransport {
    let poolManager: ConnectionPoolManager
    private let expectContinue: ExpectContinueSettings
    private let executors: [EventLoopExecutor]
    /// The alternatives of origins; `nil` if they are not used.
    private let alternatives: AlternativeServices?
    let runningRequests = RunningRequests()

    /// Creates a transport, whose connections are closed on deinitialization.
    ///
    /// All settings are supported.
    ///
    /// - Parameter connection: The settings of the connections.
    /// - Throws: ``TransportConfigurationError``.
    public init(connection: TransportConfiguration) throws(TransportConfigurationError) {
        poolManager = ConnectionPoolManager(try ConnectionSettings(connection))
        executors = poolManager.loops.map { EventLoopExecutor($0) }
        expectContinue = ExpectContinueSettings(connection)
        alternatives = connection.usesAlternativeServices ? AlternativeServices() : nil
    }

    /// Creates a transport, whose connections are closed on deinitialization.
    ///
    /// - Parameter maximumConnectionsPerHost: The maximum number of connections to a host, at least 1.
    ///   Further requests wait for a free connection.
    public init(maximumConnectionsPerHost: Int = 6) {
        poolManager = ConnectionPoolManager(
            ConnectionSettings(maximumConnectionsPerHost: max(1, maximumConnectionsPerHost))
        )
        executors = poolManager.loops.map { EventLoopExecutor($0) }
        expectContinue = ExpectContinueSettings(TransportConfiguration())
        alternatives = nil
    }

    /// Creates a transport on the event loops of a group, which must not be shut down as long as tasks use the executors.
    init(connection: TransportConfiguration, loops: any EventLoopGroup) throws(TransportConfigurationError) {
        poolManager = ConnectionPoolManager(try ConnectionSettings(connection), loops: loops)
        executors = poolManager.loops.map { EventLoopExecutor($0) }
        expectContinue = ExpectContinueSettings(connection)
        alternatives = connection.usesAlternativeServices ? AlternativeServices() : nil
    }

    /// Performs one exchange.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: `URLError`; ``RequestBodyError``; or ``RequestValidationError`` for a TRACE with a body, an invalid upgrade, and for a
    ///   method, a URL or a `Host` field that could break the message.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try runningRequests.begin(for: request.url)
        defer { runningRequests.ended() }
        let proxy = poolManager.forwardingProxy(for: request.url)
        // Rare branches are separate functions, because an async frame reserves space for every branch.
        guard proxy == nil, alternatives == nil, request.upgrade == nil else {
            return try await sendOnRareRoute(request, through: proxy)
        }
        return try await performExchange(of: request)
    }

    /// Lets the pool of the origin, or another one, send a request on a connection, and waits for the response.
    nonisolated(nonsending) func performExchange(
        of request: TransportRequest,
        on otherPool: ConnectionPool? = nil
    ) async throws -> TransportResponse {
        let exchange = try request.makeExchange()
        let pool = try otherPool ?? poolManager.pool(for: request.url)
        var lengths: HTTPBody.SegmentLengths?
        if let body = request.body, body.hasFiles { lengths = try await body.checkFiles() }
        let outbound = try pool.makeRequest(request, exchange: exchange) { [lengths] in
            try OutboundMessage.Body.open(for: $0, with: lengths, expecting: expectContinue)
        }
        if case .bytes = outbound.message.body { exchange.reportInlineBodyOnConnect(request.body) }
        guard outbound.expectation == nil else {
            return try await sendExpectingContinue(outbound, for: request, on: pool)
        }
        return try await send(outbound, on: pool)
    }

    /// Sends a request, and returns its response, whose body counts among the running requests.
    @inline(__always)
    nonisolated(nonsending) func send(
        _ outbound: OutboundRequest,
        on pool: ConnectionPool
    ) async throws -> TransportResponse {
        let response = try await outbound.exchange.perform { pool.start(outbound) }
        runningRequests.countBody(of: response, outbound.exchange)
        return response
    }

    /// Sends a request on its route: through a proxy, or to an alternative or the origin.
    @inline(never)
    private nonisolated(nonsending) func sendOnRareRoute(
        _ request: TransportRequest,
        through proxy: HTTPProxy?
    ) async throws -> TransportResponse {
        guard request.upgrade == nil else { return try await sendForUpgrade(request, through: proxy) }
        guard let proxy else {
            guard let alternatives else { return try await performExchange(of: request) }
            return try await sendPreferringAlternative(request, of: alternatives)
        }
        return try await proxy.send(request) { try await performExchange(of: $0) }
    }

    /// Opens connections to the server of a URL, with the TLS handshake and the tunnel of a proxy, unless that many exist
    /// already.
    ///
    /// Connections that no request uses are closed after ``TransportConfiguration/idleConnectionTimeout``.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL; only its scheme, host and port matter.
    ///   - connections: The number of connections, of which there are at most
    ///     ``TransportConfiguration/maximumConnectionsPerHost``. Over HTTP/2 one is opened; requests open further ones.
    /// - Throws: `URLError`.
    public func preconnect(to url: URL, connections: Int) async throws {
        guard connections > 0 else { return }
        guard !runningRequests.isClosed else { throw URLError.refusedAfterShutdown(url: url) }
        do {
            // NIO traps on a port of more than 16 bits.
            guard url.hasValidPort else { throw URLError.make(.badURL, url: url, reason: URL.invalidPortText) }
            try await poolManager.pool(for: url).preconnect(connections, to: url)
        } catch {
            throw URLError(connectionError: error, url: url)
        }
    }

    /// The executors of the event loops: see ``HTTPTransport/taskExecutors``.
    ///
    /// All transports share the process's event loops, `MultiThreadedEventLoopGroup.singleton`, which are never shut down. Over HTTP/1.1,
    /// the request of a task on an event loop uses an idle connection of that event loop, if there is one. Otherwise it uses an idle
    /// connection of another event loop, or opens a connection on its event loop. An HTTP/2 connection is used by the tasks of all event
    /// loops.
    public var taskExecutors: [any TaskExecutor] { executors }

    /// Returns the executor of an event loop, for a server whose connections are on the same event loops.
    ///
    /// A task that serves a client's connection can then run on the event loop of that connection, with its requests.
    ///
    /// - Parameter eventLoop: The event loop of the client's channel.
    /// - Returns: The executor; `nil` if the event loop is not one of the transport's.
    public func taskExecutor(of eventLoop: any EventLoop) -> (any TaskExecutor)? {
        executors.first { $0.loop === eventLoop }
    }

    /// The phase of the transport, its running exchanges, and its servers in the order of their addresses.
    public var status: TransportStatus? { runningRequests.transportStatus(servers: poolManager.servers) }

    /// Closes all connections, and cancels running requests.
    ///
    /// Later requests fail with a `URLError` for which `isShutdown` is true.
    public func shutdown() async {
        runningRequests.close()
        await poolManager.shutDown()
    }

    /// Refuses new requests, waits for the end of running ones, and then closes all connections.
    ///
    /// - Parameter grace: The maximum time to wait, after which running requests are cancelled.
    /// - Returns: The number of requests that have ended by themselves, and of those that were cancelled.
    @discardableResult
    public func shutdown(grace: Duration) async -> ShutdownResult {
        let result = await runningRequests.drain(atMost: grace)
        await poolManager.shutDown()
        return result
    }
}

extension NIOTransport: ObservableTransport {
    package func addConnectionObserver(_ observer: any ConnectionObserver) { poolManager.table.addObserver(observer) }
}
#endif
