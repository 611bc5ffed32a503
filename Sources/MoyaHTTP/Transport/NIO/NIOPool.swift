#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2

    /// The connections to one origin, and what is sent on them: ``PoolState``, with the channels that it decides about.
    ///
    /// All of it happens on one event loop, so that there is nothing to lock, and no message changes threads on its way
    /// through it.
    final class NIOPool: Sendable {
        private let loop: any EventLoop
        /// The `Host` of requests that have none (RFC 9112, section 3.2).
        let hostHeader: String
        private let core: NIOLoopBoundBox<Core>

        init(_ connector: NIOConnector, on loop: any EventLoop) {
            self.loop = loop
            hostHeader = connector.origin.hostHeader
            core = .makeBoxSendingValue(Core(connector, loop), as: Core.self, eventLoop: loop)
        }

        /// Sends a message as soon as there is a connection for it.
        func start(_ message: NIOMessage) {
            loop.execute { self.core.value.start(message) }
        }

        /// Closes all connections. What runs or waits fails with the error.
        func shutDown(_ error: @escaping @Sendable (URL) -> URLError) -> EventLoopFuture<Void> {
            loop.flatSubmit { self.core.value.shutDown(error) }
        }
    }

    /// What a pool is on its event loop.
    private final class Core {
        /// A connection that requests can be sent on.
        private enum Connection {
            case http1(any Channel, NIOExchangeHandler)
            case http2(any Channel, NIOHTTP2Handler.StreamMultiplexer, NIOHTTP2Watcher)

            var channel: any Channel {
                switch self {
                case .http1(let channel, _), .http2(let channel, _, _): channel
                }
            }

            var handler: NIOExchangeHandler? {
                if case .http1(_, let handler) = self { handler } else { nil }
            }
        }

        private let connector: NIOConnector
        private let loop: any EventLoop
        private let started = NIODeadline.now()
        private var state: PoolState
        private var waiting: [PoolState.RequestID: NIOCall] = [:]
        private var attempts: [PoolState.ConnectionID: () -> Void] = [:]
        private var connections: [PoolState.ConnectionID: Connection] = [:]
        /// What runs on connections of HTTP/2.
        private var streams: [ObjectIdentifier: NIOExchangeHandler] = [:]
        private var timer: Scheduled<Void>?
        private var ended: (@Sendable (URL) -> URLError)?

        init(_ connector: NIOConnector, _ loop: any EventLoop) {
            self.connector = connector
            self.loop = loop
            state = PoolState(
                limit: connector.settings.limit,
                maySpeakHTTP2: connector.trust != nil && connector.settings.maySpeakHTTP2,
                idleTimeout: connector.settings.idleConnectionTimeout
            )
        }

        private var now: Duration { .nanoseconds((NIODeadline.now() - started).nanoseconds) }

        // MARK: Requests

        func start(_ message: NIOMessage) {
            let exchange = message.exchange
            if let ended {
                exchange.failed(ended(exchange.url))
                return
            }
            guard !exchange.isOver else { return }
            let call = NIOCall(message)
            let (request, arrival) = state.arrived()
            switch arrival {
            case .run(let connection):
                run(call, on: connection)
            case .wait:
                wait(call, request)
            case .open(let connection):
                wait(call, request)
                open(connection)
            }
            // Now that the call has its place: an exchange that has been cancelled meanwhile ends it from here.
            began(call)
        }

        private func wait(_ call: NIOCall, _ request: PoolState.RequestID) {
            call.place = .waiting(request)
            waiting[request] = call
        }

        /// Lets the exchange act on the call.
        private func began(_ call: NIOCall) {
            let bound = NIOLoopBound((pool: self, call: call), eventLoop: loop)
            call.exchange.began(
                Exchange.Engine(on: loop) {
                    let cancel: @Sendable () -> Void = { bound.value.pool.cancel(bound.value.call) }
                    if bound.eventLoop.inEventLoop { cancel() } else { bound.eventLoop.execute(cancel) }
                }
            )
        }

        private func cancel(_ call: NIOCall) {
            switch call.place {
            case .over: break
            case .running(let handler): handler.abort(call)
            case .waiting(let request):
                call.place = .over
                waiting[request] = nil
                if let action = state.gaveUp(request) { perform([action]) }
            }
        }

        private func run(_ call: NIOCall, on id: PoolState.ConnectionID) {
            switch connections[id] {
            case nil:
                call.place = .over
                fail(call.exchange, ConnectionClosed())
            case .http1(_, let handler): handler.run(call)
            case .http2(_, let multiplexer, let watcher): open(call, on: id, multiplexer, watcher)
            }
        }

        private func fail(_ exchange: Exchange, _ error: any Error) {
            let url = exchange.url
            exchange.failed(ended?(url) ?? URLError(engineError: error, url: url, rule: connector.trust?.rule))
        }

        // MARK: Connections

        private func open(_ id: PoolState.ConnectionID) {
            let (result, cancel) = connector.connect(on: loop)
            attempts[id] = cancel
            result.assumeIsolated().whenComplete { self.opened(id, $0) }
        }

        private func opened(_ id: PoolState.ConnectionID, _ result: Result<NIOConnector.Connected, any Error>) {
            // One that was given up is told of as well.
            guard attempts.removeValue(forKey: id) != nil else { return }
            do {
                let connected = try result.get()
                // It has had its last event already.
                guard connected.channel.isActive else { throw ConnectionClosed() }
                connections[id] =
                    connected.isHTTP2
                    ? try makeHTTP2(connected.channel, id) : try makeHTTP1(connected.channel, id)
                perform(state.connected(id, isHTTP2: connected.isHTTP2, at: now))
                watch()
            } catch {
                if case .success(let connected) = result { connected.channel.close(promise: nil) }
                perform(state.failed(id), because: error)
            }
        }

        private func makeHTTP1(_ channel: any Channel, _ id: PoolState.ConnectionID) throws -> Connection {
            let handler = NIOExchangeHandler(
                isStream: false,
                fail: { self.fail($0, $1) },
                report: { event in
                    switch event {
                    case .free: self.freed(id)
                    case .closed: self.closed(id)
                    }
                }
            )
            try channel.pipeline.syncOperations.addHandlers([
                HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder()), handler,
            ])
            return .http1(channel, handler)
        }

        private func freed(_ id: PoolState.ConnectionID) {
            switch state.freed(id, at: now) {
            case .run(let request): run(request, on: id)
            case .idle: watch()
            case .close: close(id)
            }
        }

        private func run(_ request: PoolState.RequestID, on id: PoolState.ConnectionID) {
            if let call = waiting.removeValue(forKey: request) { run(call, on: id) }
        }

        private func closed(_ id: PoolState.ConnectionID) {
            guard connections.removeValue(forKey: id) != nil else { return }
            perform(state.closed(id))
        }

        private func close(_ id: PoolState.ConnectionID) {
            if let cancel = attempts.removeValue(forKey: id) { cancel() }
            connections.removeValue(forKey: id)?.channel.close(promise: nil)
        }

        private func perform(_ actions: [PoolState.Action], because error: any Error = ConnectionClosed()) {
            for action in actions {
                switch action {
                case .run(let request, let id): run(request, on: id)
                case .open(let id): open(id)
                case .close(let id): close(id)
                case .fail(let request):
                    guard let call = waiting.removeValue(forKey: request) else { continue }
                    call.place = .over
                    fail(call.exchange, error)
                }
            }
        }

        // MARK: HTTP/2

        /// What a connection may have under way before it is read (RFC 9113, section 6.9).
        ///
        /// A stream's is what a distant server can send in one round trip. The connection's is for all of them, so that those
        /// that nobody reads for now do not hold up the others.
        private static let windowOfStream = 1024 * 1024
        private static let windowOfConnection = 16 * windowOfStream

        private func makeHTTP2(_ channel: any Channel, _ id: PoolState.ConnectionID) throws -> Connection {
            var connection = NIOHTTP2Handler.ConnectionConfiguration()
            connection.targetWindowSize = Self.windowOfConnection
            // No pushes (RFC 9113, section 6.5.2): nobody reads them.
            connection.initialSettings.append(HTTP2Setting(parameter: .enablePush, value: 0))
            var stream = NIOHTTP2Handler.StreamConfiguration()
            stream.targetWindowSize = Self.windowOfStream
            let pipeline = channel.pipeline.syncOperations
            let multiplexer = try pipeline.configureHTTP2Pipeline(
                mode: .client,
                connectionConfiguration: connection,
                streamConfiguration: stream
            ) { $0.close() }
            let watcher = NIOHTTP2Watcher(
                goesAway: { self.perform(self.state.goesAway(id)) },
                closed: { self.closed(id) }
            )
            try pipeline.addHandler(watcher)
            return .http2(channel, multiplexer, watcher)
        }

        private func open(
            _ call: NIOCall,
            on id: PoolState.ConnectionID,
            _ multiplexer: NIOHTTP2Handler.StreamMultiplexer,
            _ watcher: NIOHTTP2Watcher
        ) {
            let key = ObjectIdentifier(call)
            let end = {
                // The channel closes after its exchange, which counts once.
                if self.streams.removeValue(forKey: key) != nil, self.connections[id] != nil { self.freed(id) }
            }
            let handler = NIOExchangeHandler(
                isStream: true,
                fail: { self.fail($0, watcher.cause(of: $1)) },
                report: { _ in end() }
            )
            streams[key] = handler
            call.place = .running(handler)
            let bound = NIOLoopBound(handler, eventLoop: loop)
            let promise = loop.makePromise(of: (any Channel).self)
            multiplexer.createStreamChannel(promise: promise) { stream in
                stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandlers([
                        HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: .https), bound.value,
                    ])
                }
            }
            promise.futureResult.assumeIsolated().whenComplete { result in
                switch (call.place, result) {
                case (.running, .success):
                    handler.run(call)
                case (.running, .failure(let error)):
                    call.place = .over
                    self.fail(call.exchange, error)
                    end()
                case (_, .success(let stream)):
                    stream.close(promise: nil)
                    end()
                case (_, .failure):
                    end()
                }
            }
        }

        // MARK: Time

        /// Closes what is idle for too long, when it is time.
        private func watch(after time: Duration? = nil) {
            guard timer == nil, state.hasIdle, ended == nil else { return }
            let time = time ?? connector.settings.idleConnectionTimeout
            timer = loop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
                self.timer = nil
                let (closing, next) = self.state.expire(at: self.now)
                for id in closing { self.close(id) }
                self.watch(after: next)
            }
        }

        func shutDown(_ error: @escaping @Sendable (URL) -> URLError) -> EventLoopFuture<Void> {
            ended = error
            timer?.cancel()
            timer = nil
            let waiting = waiting.values
            self.waiting = [:]
            for call in waiting {
                call.place = .over
                call.exchange.failed(error(call.exchange.url))
            }
            for id in attempts.keys { close(id) }
            let handlers = Array(streams.values) + connections.values.compactMap(\.handler)
            let channels = connections.values.map(\.channel)
            // What runs does not wait for TLS to take its leave.
            for handler in handlers { handler.shutDown() }
            for channel in channels { channel.close(promise: nil) }
            return .andAllComplete(channels.map(\.closeFuture), on: loop)
        }
    }

    /// Tells what becomes of a connection of HTTP/2.
    private final class NIOHTTP2Watcher: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame

        private let goesAway: () -> Void
        private let closed: () -> Void

        /// The last stream that the server has taken, once it takes no more.
        private var lastStream: HTTP2StreamID?

        init(goesAway: @escaping () -> Void, closed: @escaping () -> Void) {
            self.goesAway = goesAway
            self.closed = closed
        }

        /// NIO ends the streams that a server has not come to as if they had been cancelled, but tells first that it goes.
        func cause(of error: any Error) -> any Error {
            guard let error = error as? NIOHTTP2Errors.StreamClosed, let lastStream, error.streamID > lastStream else {
                return error
            }
            return RequestNotProcessed()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .goAway(let last, _, _) = unwrapInboundIn(data).payload else { return }
            lastStream = last
            goesAway()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // What a stream fails with is its exchange's, and no reason to end the others (RFC 9113, section 5.4.2).
            if !(error is NIOHTTP2Errors.StreamError) { context.close(promise: nil) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            closed()
            context.fireChannelInactive()
        }
    }
#endif
