#if NIO && !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import NIOCore
    import NIOPosix
    import NIOSSL
    import NIOTLS

    /// A connector for one origin, which performs the DNS lookup, the proxy handshake and the TLS handshake.
    struct NIOConnector: Sendable {
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
        let settings: NIOSettings
        let route: ProxyRoute
        /// The server trust; `nil` without TLS.
        let trust: NIOServerTrust?

        /// Starts to connect.
        ///
        /// - Parameter loop: The event loop of the connection.
        /// - Returns: A future on the event loop, and a function that cancels the attempt.
        func connect(on loop: any EventLoop) -> (result: EventLoopFuture<Connected>, cancel: () -> Void) {
            let promise = loop.makePromise(of: Connected.self)
            let attempt = Attempt(promise)
            do {
                try checkAddress()
            } catch {
                attempt.cancel(error)
                return (promise.futureResult, {})
            }
            let bound = NIOLoopBound(attempt, eventLoop: loop)
            let began: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
                channel.eventLoop.makeCompletedFuture {
                    // All channels that are tried are recorded, so that they can be cancelled.
                    let closer = NIOChannelCloser()
                    try channel.pipeline.syncOperations.addHandler(closer)
                    guard bound.value.began(closer) else { throw CancellationError() }
                }
            }
            // The TLS context is created on another thread, since that reads files.
            let context = trust?.context(on: loop).map { Optional($0) } ?? loop.makeSucceededFuture(nil)
            context.flatMap { context in
                route(on: loop, began).flatMap { secure($0, context) }
            }.assumeIsolated().whenComplete { attempt.ended($0) }
            if let time = settings.connectTimeout {
                let amount = TimeAmount(time)
                let timer = loop.assumeIsolated().scheduleTask(in: amount) {
                    attempt.cancel(ChannelError.connectTimeout(amount))
                }
                promise.futureResult.whenComplete { _ in timer.cancel() }
            }
            return (promise.futureResult, { attempt.cancel(CancellationError()) })
        }

        /// The maximum length of a host name as text (RFC 1035, section 2.3.4).
        private static let longestHost = 253

        /// Throws for a host that cannot be used in a lookup, by a proxy or in TLS.
        ///
        /// A longer name would not fit into SOCKS (RFC 1928, section 4), and the system would truncate a name with
        /// a NUL.
        private func checkAddress() throws {
            guard (1...65_535).contains(origin.port) else {
                throw InvalidAddress(.badURL, "The port \(origin.port) is not between 1 and 65535.")
            }
            for host in [HostName(origin.host).text, settings.target(of: origin)] {
                guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }) else {
                    throw InvalidAddress(.badURL, "The URL's host is empty, or has a character that is not allowed.")
                }
                guard host.utf8.count <= Self.longestHost else {
                    throw InvalidAddress(
                        .cannotFindHost,
                        "The host name has \(host.utf8.count) bytes, but at most \(Self.longestHost) are allowed."
                    )
                }
            }
        }

        private func open(
            on loop: any EventLoop,
            _ began: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
        ) -> EventLoopFuture<any Channel> {
            var bootstrap = ClientBootstrap(group: loop)
                .connectTimeout(TimeAmount(.longestTimeout))
                .channelInitializer(began)
            if let address = settings.localAddress { bootstrap = bootstrap.bind(to: address) }
            return switch settings.destination(of: origin, by: route) {
            case .socket(let path): bootstrap.connect(unixDomainSocketPath: path)
            case .address(let host, let port): bootstrap.connect(host: host, port: port)
            }
        }

        // MARK: Proxy

        /// Opens a channel to the server, through a proxy if the route has one.
        private func route(
            on loop: any EventLoop,
            _ began: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
        ) -> EventLoopFuture<any Channel> {
            let target = settings.target(of: origin)
            switch route {
            case .direct, .forwarding:
                return open(on: loop, began)
            case .tunnel(let proxy):
                return open(on: loop, began, ConnectHandshake(host: target, port: origin.port, proxy: proxy))
            case .socks(_, _, let credential):
                return open(on: loop, began, SOCKSHandshake(host: target, port: origin.port, credential: credential))
            }
        }

        /// Opens a channel, and performs a handshake on it, or on further channels if the proxy closes it.
        private func open(
            on loop: any EventLoop,
            _ began: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>,
            _ handshake: any ProxyHandshake
        ) -> EventLoopFuture<any Channel> {
            open(on: loop, began).flatMap { channel in
                perform(handshake, on: channel).flatMap { next in
                    guard let next else { return loop.makeSucceededFuture(channel) }
                    channel.close(promise: nil)
                    return open(on: loop, began, next)
                }
            }
        }

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
        }

        // MARK: TLS

        private func secure(_ channel: any Channel, _ context: NIOSSLContext?) -> EventLoopFuture<Connected> {
            guard let context, let trust else {
                return channel.eventLoop.makeCompletedFuture { try connected(channel, isHTTP2: false) }
            }
            let promise = channel.eventLoop.makePromise(of: String?.self)
            let host = origin.host
            let verification = trust.rule.evaluator.verification.validatesChain ? ChainVerification() : nil
            let waiter = NIOHandshakeWaiter(promise) { trust.rule.explain($0, channel, host: host, verification) }
            return value(of: promise, on: channel) { pipeline in
                let tls =
                    try verification?.makeHandler(context, serverHostname: serverName)
                    ?? NIOSSLClientHandler(context: context, serverHostname: serverName)
                try pipeline.addHandlers([tls, waiter])
            }.flatMapThrowing { negotiated in
                try trust.rule.check(channel, host: origin.host, verification)
                channel.pipeline.syncOperations.removeHandler(waiter, promise: nil)
                return try connected(channel, isHTTP2: negotiated == "h2")
            }.nonisolated()
        }

        /// The host name for SNI (RFC 6066, section 3), without a trailing dot; nil for an address.
        private var serverName: String? {
            // An address may have a trailing dot or a zone.
            let host = HostName(HostName(origin.host).text)
            return host.address == nil && !host.text.contains(":") ? host.text : nil
        }

        private func connected(_ channel: any Channel, isHTTP2: Bool) throws -> Connected {
            let closer = try channel.pipeline.syncOperations.handler(type: NIOChannelCloser.self)
            let bound = NIOLoopBound(closer, eventLoop: channel.eventLoop)
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

        /// A connection attempt.
        ///
        /// It must be used on its event loop only.
        private final class Attempt {
            private let promise: EventLoopPromise<Connected>
            private var channels: [NIOChannelCloser] = []
            private var isOver = false

            init(_ promise: EventLoopPromise<Connected>) { self.promise = promise }

            /// Records a channel; returns false if the attempt has been cancelled.
            func began(_ channel: NIOChannelCloser) -> Bool {
                if !isOver { channels.append(channel) }
                return !isOver
            }

            func cancel(_ error: any Error) {
                guard !isOver else { return }
                isOver = true
                promise.fail(error)
                for channel in channels { channel.closeNow() }
                channels = []
            }

            func ended(_ result: Result<Connected, any Error>) {
                switch result {
                case .success(let connected) where isOver:
                    connected.closeNow()
                case .success(let connected):
                    isOver = true
                    channels = []
                    promise.succeed(connected)
                case .failure(let error):
                    cancel(error)
                }
            }
        }
    }

    /// A host or port that cannot be connected to.
    struct InvalidAddress: TransportFailure, CustomStringConvertible {
        let urlErrorCode: URLError.Code
        let description: String

        var reason: String? { description }

        init(_ code: URLError.Code, _ description: String) {
            urlErrorCode = code
            self.description = description
        }
    }

    /// The lowest handler of a connection, which closes it without involving the handlers above.
    final class NIOChannelCloser: ChannelInboundHandler {
        typealias InboundIn = NIOAny

        private var context: ChannelHandlerContext?
        private var isClosing = false

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func closeNow() {
            guard !isClosing else { return }
            isClosing = true
            context?.close(promise: nil)
        }
    }

    /// A handler that waits for the end of the TLS handshake.
    ///
    /// If the channel fails or closes first, the promise fails.
    private final class NIOHandshakeWaiter: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        private let promise: EventLoopPromise<String?>

        private let explain: (any Error) -> any Error

        /// `explain` returns a more specific error, if there is one.
        init(_ promise: EventLoopPromise<String?>, explain: @escaping (any Error) -> any Error) {
            self.promise = promise
            self.explain = explain
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent { promise.succeed(negotiated) }
            context.fireUserInboundEventTriggered(event)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            promise.fail(explain(error))
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            promise.fail(ConnectionClosed())
            context.fireChannelInactive()
        }
    }
#endif
