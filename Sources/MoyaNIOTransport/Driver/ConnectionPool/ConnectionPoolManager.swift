#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOPosix

/// The connections of a transport: a pool for each origin, and one for each HTTP proxy that requests are sent to in
/// absolute form.
final class ConnectionPoolManager: Sendable {
    private let settings: ConnectionSettings
    let loops: [any EventLoop]
    private let nextLoop = Locked(0)
    /// The pools that are in use.
    let table: ConnectionPoolTable

    init(_ settings: ConnectionSettings, loops: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup) {
        self.settings = settings
        self.loops = Array(loops.makeIterator())
        table = ConnectionPoolTable(maximumIdleConnections: settings.maximumIdleConnections)
    }

    /// Returns the pool for a URL.
    ///
    /// The sender keeps it alive until the exchange is over.
    ///
    /// - Throws: `URLError`, whose cause may be an ``InvalidAddress``; a ``ServerTrustError`` for a host without a required rule;
    ///   or a ``TransportConfigurationError`` for a proxy of the environment that is invalid.
    func pool(for url: URL) throws(URLError) -> ConnectionPool {
        if let last = table.lastPool(for: url) { return last }
        do {
            return try findOrMakePool(for: url)
        } catch {
            throw URLError(connectionError: error, url: url)
        }
    }

    private func findOrMakePool(for url: URL) throws -> ConnectionPool {
        guard let origin = Origin(url) else { throw URLError.make(.unsupportedURL, url: url) }
        let proxy = settings.forwardingProxy(to: origin)
        // The connections of a proxy carry requests to any host, and so do not check the address of this one.
        if proxy != nil { try Connector.checkAddress(of: origin, settings) }
        let key = proxy.map { ConnectionPoolTable.Key.proxy(ObjectIdentifier($0)) } ?? .origin(origin)
        let pool: ConnectionPool
        if let known = table.pool(for: key) {
            pool = known
        } else {
            let connector =
                try proxy.map { settings.connector(to: $0) }
                ?? settings.connector(for: origin, host: url.host ?? origin.host)
            // The first request adds the pool to the table.
            pool = ConnectionPool(connector, key: key, in: table, on: nextLoops())
        }
        table.recordUse(of: pool, for: url)
        return pool
    }

    /// Returns the pool of an alternative for a URL; `nil` if the alternatives of its origin cannot be used.
    ///
    /// - Throws: The errors of ``pool(for:)``.
    func pool(for url: URL, at alternative: Origin) throws(URLError) -> ConnectionPool? {
        do {
            guard let origin = Origin(url), settings.canUseAlternatives(of: origin) else { return nil }
            let key = ConnectionPoolTable.Key.alternative(alternative, of: origin)
            if let known = table.pool(for: key) { return known }
            let connector = try settings.connector(for: origin, host: url.host ?? origin.host, at: alternative)
            return ConnectionPool(connector, key: key, in: table, on: nextLoops())
        } catch {
            throw URLError(connectionError: error, url: url)
        }
    }

    /// Returns the pool for requests for upgrades to other protocols that cannot use the pool of their URL: its connections offer HTTP/1.1
    /// only, and go through a tunnel if there is an HTTP proxy (RFC 6455, section 4.1).
    ///
    /// - Throws: The errors of ``pool(for:)``.
    func upgradePool(for url: URL) throws(URLError) -> ConnectionPool {
        do {
            guard let origin = Origin(url) else { throw URLError.make(.unsupportedURL, url: url) }
            let key = ConnectionPoolTable.Key.upgrade(origin)
            if let known = table.pool(for: key) { return known }
            let connector = try settings.upgradeConnector(for: origin, host: url.host ?? origin.host)
            return ConnectionPool(connector, key: key, in: table, on: nextLoops())
        } catch {
            throw URLError(connectionError: error, url: url)
        }
    }

    /// Returns the event loops, beginning with another one for each pool.
    private func nextLoops() -> [any EventLoop] {
        let first = nextLoop.withLock { next in
            next = (next + 1) % loops.count
            return next
        }
        return Array(loops[first...] + loops[..<first])
    }

    /// The state of each server's connections.
    var servers: [TransportStatus.Server] { table.all.map(\.serverStatus) }

    /// Returns the HTTP proxy that requests to a URL are sent to in absolute form, if any.
    func forwardingProxy(for url: URL) -> HTTPProxy? { settings.forwardingProxy(for: url) }

    /// Closes all connections.
    ///
    /// Running requests are cancelled, and later ones are refused.
    func shutDown() async {
        // All pools concurrently, since closing a connection may take time.
        let ends = table.shutDown().map { pool in pool.shutDown { .cancelledByShutdown(url: $0) } }
        for end in ends {
            // The future cannot fail.
            try? await end.get()
        }
    }

    /// Cancels running requests.
    deinit {
        for pool in table.shutDown() { _ = pool.shutDown { .cancelledByShutdown(url: $0) } }
    }
}
#endif
