#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import NIOCore
    import NIOExtras
    import NIOHTTP1
    import NIOPosix
    import NIOSOCKS
    import NIOSSL
    import NIOTLS

    /// Makes connections to one origin: looked up, connected, through the proxy, and with the TLS handshake done.
    struct NIOConnector: Sendable {
        /// A connection that has nothing but TLS on it yet.
        struct Connected: Sendable {
            let channel: any Channel
            let isHTTP2: Bool
        }

        let origin: Origin
        let settings: NIOSettings
        /// Whom to trust; `nil` without TLS.
        let trust: NIOServerTrust?

        /// Begins to make one.
        ///
        /// - Returns: What can be waited for, on the event loop, and what gives it up.
        func connect(on loop: any EventLoop) -> (result: EventLoopFuture<Connected>, cancel: () -> Void) {
            let promise = loop.makePromise(of: Connected.self)
            let attempt = Attempt(promise)
            let bound = NIOLoopBound(attempt, eventLoop: loop)
            let began: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
                // All that are tried, so that they can be given up.
                bound.value.began(channel)
                    ? channel.eventLoop.makeSucceededVoidFuture()
                    : channel.eventLoop.makeFailedFuture(CancellationError())
            }
            // A context is made elsewhere, since that reads files.
            let context = trust?.context(on: loop).map { Optional($0) } ?? loop.makeSucceededFuture(nil)
            context.flatMap { context in
                open(on: loop, began).flatMap { channel in
                    tunnel(channel).flatMap { secure(channel, context) }
                }
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

        private func open(
            on loop: any EventLoop,
            _ began: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
        ) -> EventLoopFuture<any Channel> {
            let bootstrap = ClientBootstrap(group: loop)
                .connectTimeout(TimeAmount(.longestTimeout))
                .channelInitializer(began)
            return switch settings.destination(of: origin) {
            case .socket(let path): bootstrap.connect(unixDomainSocketPath: path)
            case .address(let host, let port): bootstrap.connect(host: host, port: port)
            }
        }

        // MARK: The proxy

        private func tunnel(_ channel: any Channel) -> EventLoopFuture<Void> {
            switch settings.proxy {
            case nil: channel.eventLoop.makeSucceededVoidFuture()
            case .socks: throughSOCKS(channel)
            case .http(_, _, let credential): throughHTTP(channel, credential)
            }
        }

        /// RFC 9110, section 9.3.6.
        private func throughHTTP(
            _ channel: any Channel,
            _ credential: TransportProxy.Credential?
        ) -> EventLoopFuture<Void> {
            let target = settings.target(of: origin)
            let host = target.contains(":") ? "[\(target)]" : target
            var headers = NIOHTTP1.HTTPHeaders([("Host", "\(host):\(origin.port)")])
            if let credential {
                // RFC 7617, section 2.
                let pair = Data("\(credential.user):\(credential.password)".utf8)
                headers.add(name: "Proxy-Authorization", value: "Basic \(pair.base64EncodedString())")
            }
            let promise = channel.eventLoop.makePromise(of: Void.self)
            let encoder = HTTPRequestEncoder()
            let decoder = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes))
            let connect = NIOHTTP1ProxyConnectHandler(
                targetHost: host,
                targetPort: origin.port,
                headers: headers,
                deadline: .distantFuture,
                promise: promise
            )
            // The proxy may answer with what is no HTTP.
            let waiter = NIOEventWaiter(promise) { _ in nil }
            return value(of: promise, on: channel) { pipeline in
                try pipeline.addHandlers([encoder, decoder, connect, waiter])
            }.flatMap {
                let pipeline = channel.pipeline.syncOperations
                // The handler that connects has removed itself.
                return pipeline.removeHandler(waiter).and(pipeline.removeHandler(decoder))
                    .and(pipeline.removeHandler(encoder)).map { _ in }
            }.nonisolated()
        }

        /// RFC 1928.
        private func throughSOCKS(_ channel: any Channel) -> EventLoopFuture<Void> {
            let target = settings.target(of: origin)
            let address =
                (try? SocketAddress(ipAddress: target, port: origin.port)).map { SOCKSAddress.address($0) }
                ?? .domain(target, port: origin.port)
            let promise = channel.eventLoop.makePromise(of: Void.self)
            let socks = SOCKSClientHandler(targetAddress: address)
            let waiter = NIOEventWaiter(promise) { $0 is SOCKSProxyEstablishedEvent ? () : nil }
            return value(of: promise, on: channel) { pipeline in
                try pipeline.addHandlers([socks, waiter])
            }.flatMap {
                let pipeline = channel.pipeline.syncOperations
                return pipeline.removeHandler(waiter).and(pipeline.removeHandler(socks)).map { _ in }
            }.nonisolated()
        }

        // MARK: TLS

        private func secure(_ channel: any Channel, _ context: NIOSSLContext?) -> EventLoopFuture<Connected> {
            guard let context, let trust else {
                return channel.eventLoop.makeSucceededFuture(Connected(channel: channel, isHTTP2: false))
            }
            let promise = channel.eventLoop.makePromise(of: String?.self)
            let waiter = NIOEventWaiter(promise) { event -> String?? in
                guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else { return nil }
                return .some(negotiated)
            }
            return value(of: promise, on: channel) { pipeline in
                // Neither an address nor a last dot has a place in SNI (RFC 6066, section 3).
                let host = HostName(origin.host)
                let tls = try NIOSSLClientHandler(
                    context: context,
                    serverHostname: host.address == nil ? host.text : nil
                )
                try pipeline.addHandlers([tls, waiter])
            }.flatMapThrowing { negotiated in
                try trust.rule.check(channel, host: origin.host)
                channel.pipeline.syncOperations.removeHandler(waiter, promise: nil)
                return Connected(channel: channel, isHTTP2: negotiated == "h2")
            }.nonisolated()
        }

        /// What handlers come to that keep a promise. That they can't be added fails it, too.
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

        /// What is being made. Touched on its event loop alone.
        private final class Attempt {
            private let promise: EventLoopPromise<Connected>
            private var channels: [any Channel] = []
            private var isOver = false

            init(_ promise: EventLoopPromise<Connected>) { self.promise = promise }

            /// False if it has been given up.
            func began(_ channel: any Channel) -> Bool {
                if !isOver { channels.append(channel) }
                return !isOver
            }

            func cancel(_ error: any Error) {
                guard !isOver else { return }
                isOver = true
                promise.fail(error)
                for channel in channels { channel.close(promise: nil) }
                channels = []
            }

            func ended(_ result: Result<Connected, any Error>) {
                switch result {
                case .success(let connected) where isOver:
                    connected.channel.close(promise: nil)
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

    /// Waits for one event on a channel. A channel that fails or closes before fails the promise.
    private final class NIOEventWaiter<Value: Sendable>: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        private let promise: EventLoopPromise<Value>
        private let value: (Any) -> Value?

        init(_ promise: EventLoopPromise<Value>, _ value: @escaping (Any) -> Value?) {
            self.promise = promise
            self.value = value
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let value = value(event) { promise.succeed(value) }
            context.fireUserInboundEventTriggered(event)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            promise.fail(error)
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            promise.fail(ConnectionClosed())
            context.fireChannelInactive()
        }
    }
#endif
