#if NIO && !canImport(Darwin)
import Foundation
import MoyaPublicSuffixList
import NIOCore
import NIOPosix
import NIOSSL

/// A connector for one origin, which performs the DNS lookup, the proxy handshake and the TLS handshake.
struct Connector: Sendable {
    /// A connection with no handlers above TLS.
    struct Connected: Sendable {
        let channel: any Channel
        let isHTTP2: Bool
        /// Closes the connection immediately, below TLS.
        ///
        /// It must be called on the event loop.
        /// `channel.close` sends a TLS close alert, and continues to receive until the server closes, too, or a
        /// timeout of seconds.
        let closeNow: @Sendable () -> Void
    }

    let origin: Origin
    let settings: ConnectionSettings
    let route: ProxyRoute
    /// The TLS of the connections; `nil` without TLS.
    let tls: HostTLS?
    /// The alternative of the origin that connections lead to, if any (RFC 7838).
    ///
    /// The certificate is still the one for the host of the origin.
    var alternative: Origin?
    /// Whether connections offer HTTP/1.1 only, whatever the origin supports.
    var isHTTP1Only = false

    /// The versions of HTTP that the next connection offers.
    var offeredProtocols: OfferedProtocols { isHTTP1Only ? .http1 : settings.offeredProtocols(to: origin) }

    /// The maximum time to connect to an alternative, because the origin can be used instead.
    private static let alternativeTimeout = Duration.seconds(2)

    /// The maximum time to connect, if there is one.
    private var timeout: Duration? {
        guard alternative != nil else { return settings.connectTimeout }
        return min(settings.connectTimeout ?? Self.alternativeTimeout, Self.alternativeTimeout)
    }

    private var destination: ConnectionSettings.Destination {
        settings.destination(of: alternative ?? origin, by: route)
    }

    /// Starts to connect.
    ///
    /// - Parameters:
    ///   - loop: The event loop of the connection.
    ///   - resolved: A function that is called on the event loop before each channel is opened, when the addresses are known. A
    ///     proxy handshake may need several channels.
    ///   - report: A function that is called on the event loop with the events of the connect attempt.
    /// - Returns: A future on the event loop, and a function that cancels it.
    func connect(
        on loop: any EventLoop,
        resolved: @escaping @Sendable () -> Void = {},
        report: @escaping @Sendable (ExchangeEvent) -> Void = { _ in }
    ) -> (result: EventLoopFuture<Connected>, cancel: () -> Void) {
        let promise = loop.makePromise(of: Connected.self)
        let operation = ConnectOperation(promise, resolved: resolved, report: report)
        do {
            try Self.checkAddress(of: origin, settings)
            if let alternative { try Self.checkAddress(of: alternative, settings) }
        } catch {
            operation.cancel(error)
            return (promise.futureResult, {})
        }
        let bound = NIOLoopBound(operation, eventLoop: loop)
        // Another thread creates the TLS context, since that reads files, while the host is looked up. The channel is opened
        // afterwards, because the TLS handler must get its first bytes and its end.
        let context =
            tls?.context(offering: offeredProtocols, on: loop).map { Optional($0) }
            ?? loop.makeSucceededFuture(nil)
        operation.proxy = route.proxy
        openChannel(on: loop, for: bound, after: context.map { _ in }).flatMap { channel in
            bound.value.proxy = nil
            return context.flatMap { secure(channel, $0, for: bound) }
        }.assumeIsolated().whenComplete { operation.ended($0) }
        if let time = timeout {
            let amount = TimeAmount(time)
            let timer = loop.assumeIsolated().scheduleTask(in: amount) {
                operation.cancel(operation.timeout(after: time))
            }
            promise.futureResult.whenComplete { _ in timer.cancel() }
        }
        promise.futureResult.whenFailure { dropAddresses(because: $0) }
        return (promise.futureResult, { operation.cancel(CancellationError()) })
    }

    // MARK: Steps

    /// Opens a channel to the server, through a proxy if the route has one.
    private func openChannel(
        on loop: any EventLoop,
        for operation: NIOLoopBound<ConnectOperation>,
        after preparation: EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        let (host, port) = (settings.connectHost(of: origin), origin.port)
        let handshake: any ProxyHandshake
        switch route {
        case .direct, .forwarding: return openSocket(on: loop, for: operation, after: preparation)
        case .tunnel(let proxy): handshake = ConnectHandshake(host: host, port: port, proxy: proxy)
        case .socks(_, _, let credential):
            handshake = SOCKSHandshake(host: host, port: port, credential: credential)
        }
        return openThroughProxy(on: loop, for: operation, by: handshake, after: preparation).map { channel in
            operation.value.report(.proxyEnded)
            return channel
        }
    }

    /// Opens a channel, and performs a handshake on it, or on further channels if the proxy closes it.
    private func openThroughProxy(
        on loop: any EventLoop,
        for operation: NIOLoopBound<ConnectOperation>,
        by handshake: any ProxyHandshake,
        after preparation: EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        openSocket(on: loop, for: operation, after: preparation).flatMap { channel in
            operation.value.report(.proxyStarted)
            return perform(handshake, on: channel).flatMap { next in
                guard let next else { return loop.makeSucceededFuture(channel) }
                channel.close(promise: nil)
                return openThroughProxy(on: loop, for: operation, by: next, after: preparation)
            }
        }
    }

    /// Opens a channel to the destination of connections, without handshakes.
    ///
    /// The host is looked up during the preparation.
    private func openSocket(
        on loop: any EventLoop,
        for operation: NIOLoopBound<ConnectOperation>,
        after preparation: EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        guard !FileDescriptorReserve.isReached else {
            return loop.makeFailedFuture(IOError(errnoCode: EMFILE, reason: "socket"))
        }
        var bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(.longestTimeout))
            .channelInitializer { operation.value.record($0) }
        if let address = settings.localAddress { bootstrap = bootstrap.bind(to: address) }
        switch destination {
        case .socket(let path):
            return preparation.assumeIsolated().flatMap {
                operation.value.resolved()
                operation.value.report(.connectStarted)
                return bootstrap.connect(unixDomainSocketPath: path)
            }.map { (channel: any Channel) in
                operation.value.report(.connectEnded)
                return channel
            }.nonisolated()
        case .address(let host, let port):
            return addresses(of: host, on: loop, for: operation).and(preparation).assumeIsolated().flatMap {
                addresses,
                _ in
                operation.value.resolved()
                operation.value.report(.connectStarted)
                return bootstrap.resolver(ConnectionTargets(addresses, port: port, on: loop))
                    .connect(host: host, port: port)
            }.map { (channel: any Channel) in
                operation.value.report(.connectEnded)
                return channel
            }.nonisolated().flatMapErrorThrowing { error in
                guard let proxy = route.proxy, error is NIOConnectionError else { throw error }
                throw ProxyFailure(proxy, connectionError: error)
            }
        }
    }

    /// Performs the TLS handshake, if the origin requires one, and checks the server's certificates.
    private func secure(
        _ channel: any Channel,
        _ context: NIOSSLContext?,
        for operation: NIOLoopBound<ConnectOperation>
    ) -> EventLoopFuture<Connected> {
        guard let context, let tls else {
            return channel.eventLoop.makeCompletedFuture { try connected(channel, isHTTP2: false) }
        }
        let promise = channel.eventLoop.makePromise(of: String?.self)
        let host = origin.host
        let wanted = tls.rule.evaluator.verification
        let verification = wanted.validatesChain ? ChainVerification(anchors: wanted.anchors) : nil
        let hasIdentity = tls.configuration.privateKey != nil
        let waiter = TLSHandshakeWaiter(promise) {
            tls.rule.explain(
                $0,
                on: channel,
                host: host,
                hasIdentity: hasIdentity,
                verification: verification
            )
        }
        operation.value.report(.tlsStarted)
        let hello = ServerHelloReader()
        let boundHello = NIOLoopBound(hello, eventLoop: channel.eventLoop)
        return value(of: promise, on: channel) { pipeline in
            let handler =
                try verification?.makeHandler(context, serverHostname: serverName, channel)
                ?? NIOSSLClientHandler(context: context, serverHostname: serverName)
            try pipeline.addHandlers([hello, handler, waiter])
        }.flatMapThrowing { negotiated in
            try tls.rule.check(channel, host: origin.host, verification)
            operation.value.report(.tlsEnded(ExchangeConnection.TLS(channel, boundHello.value)))
            channel.pipeline.syncOperations.removeHandler(boundHello.value, promise: nil)
            channel.pipeline.syncOperations.removeHandler(waiter, promise: nil)
            guard alternative == nil || negotiated == OfferedProtocols.http2Name else {
                throw AlternativeProtocolMissing()
            }
            return try connected(channel, isHTTP2: negotiated == OfferedProtocols.http2Name)
        }.nonisolated()
    }

    // MARK: Addresses

    /// The maximum length of a host name as text (RFC 1035, section 2.3.4).
    private static let longestHost = 253

    /// Throws for a host that cannot be used in a lookup, by a proxy or in TLS.
    ///
    /// A longer name would not fit into SOCKS (RFC 1928, section 4), and the system would truncate a name with
    /// a NUL.
    static func checkAddress(of origin: Origin, _ settings: ConnectionSettings) throws {
        guard (1...65_535).contains(origin.port) else {
            throw InvalidAddress(.badURL, "The port \(origin.port) is not between 1 and 65535.")
        }
        for host in [HostName(origin.host).text, settings.connectHost(of: origin)] {
            guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }) else {
                throw InvalidAddress(.badURL, "The URL's host is empty, or has a character that is not allowed.")
            }
            guard host.utf8.count <= longestHost else {
                throw InvalidAddress(
                    .cannotFindHost,
                    "The host name has \(host.utf8.count) bytes, but at most \(longestHost) are allowed."
                )
            }
        }
    }

    /// Resolves a host, unless it is an address.
    private func addresses(
        of host: String,
        on loop: any EventLoop,
        for operation: NIOLoopBound<ConnectOperation>
    ) -> EventLoopFuture<[SocketAddress]> {
        if let address = SocketAddress(literal: host) { return loop.makeSucceededFuture([address]) }
        guard !host.utf8.contains(UInt8(ascii: ":")) else {
            return loop.makeFailedFuture(HostResolutionError.failed(host: host, reason: Self.flaw(ofAddress: host)))
        }
        let promise = loop.makePromise(of: [SocketAddress].self)
        operation.value.beginLookup(of: host, promise) {
            settings.lookups.resolve(host, settings.hostCachePolicy) { promise.completeWith($0) }
        }
        promise.futureResult.assumeIsolated().whenComplete { operation.value.endLookup($0) }
        return promise.futureResult
    }

    /// Returns the reason why a host with a colon is not an address that the system accepts.
    static func flaw(ofAddress host: String) -> String {
        guard let percent = host.firstIndex(of: "%"), IPAddress(String(host[..<percent])) != nil else {
            return "It is not an IP address."
        }
        let zone = host[host.index(after: percent)...]
        return if_nametoindex(String(zone)) == 0
            ? "This system has no network interface \"\(zone)\", which is the zone of the address."
            : "Its zone \"\(zone)\" is not for this address: only link-local addresses have zones (RFC 4007)."
    }

    /// Drops the addresses of a host after a failure: the next connection looks the host up again, since the server may have
    /// moved.
    private func dropAddresses(because error: any Error) {
        switch error {
        case is CancellationError, is HostResolutionError, is LookupTimeout: break
        default:
            if case .address(let host, _) = destination {
                settings.lookups.drop(host)
            }
        }
    }

    // MARK: Handshakes

    /// Performs a handshake, and returns the one to perform on another channel, if that is necessary.
    private func perform(
        _ handshake: any ProxyHandshake,
        on channel: any Channel
    ) -> EventLoopFuture<(any ProxyHandshake)?> {
        let promise = channel.eventLoop.makePromise(of: (any ProxyHandshake)?.self)
        let handler = ProxyHandshakeHandler(handshake, promise)
        return value(of: promise, on: channel) { try $0.addHandler(handler) }
            .map { next in
                channel.pipeline.syncOperations.removeHandler(handler, promise: nil)
                return next
            }
            .nonisolated()
            .flatMapErrorThrowing { error in
                throw route.proxy.map { ProxyFailure($0, handshakeError: error) } ?? error
            }
    }

    /// The host name for SNI (RFC 6066, section 3), without a trailing dot; nil for an address.
    private var serverName: String? {
        // An address may have a trailing dot or a zone.
        let host = HostName(HostName(origin.host).text)
        return host.address == nil && !host.text.contains(":") ? host.text : nil
    }

    private func connected(_ channel: any Channel, isHTTP2: Bool) throws -> Connected {
        let handler = try channel.pipeline.syncOperations.handler(type: SocketHandler.self)
        let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        return Connected(channel: channel, isHTTP2: isHTTP2, closeNow: { bound.value.closeNow() })
    }

    /// Returns the result of a promise that handlers fulfill.
    ///
    /// It fails if the handlers cannot be added.
    private func value<Value>(
        of promise: EventLoopPromise<Value>,
        on channel: any Channel,
        adding add: (ChannelPipeline.SynchronousOperations) throws -> Void
    ) -> EventLoopFuture<Value>.Isolated {
        do {
            try add(channel.pipeline.syncOperations)
        } catch {
            promise.fail(error)
        }
        return promise.futureResult.assumeIsolated()
    }
}
#endif
