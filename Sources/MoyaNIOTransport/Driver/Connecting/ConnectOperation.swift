#if NIO && !canImport(Darwin)
import Foundation
import NIOCore

/// The state of a call of ``Connector/connect(on:resolved:report:)``: its lookup and its channels, which a cancellation ends.
///
/// It must be used on its event loop only.
final class ConnectOperation {
    private let promise: EventLoopPromise<Connector.Connected>
    private var socketHandlers: [SocketHandler] = []
    private var lookup: (host: String, cancel: @Sendable () -> Void)?
    private var isOver = false
    /// The proxy to which the operation connects; `nil` without a proxy, and after its handshake.
    var proxy: ProxyAddress?

    /// Called before each channel is opened, when the addresses are known.
    let resolved: @Sendable () -> Void
    private let reportEvent: @Sendable (ExchangeEvent) -> Void
    private var hasBegunProxyHandshake = false

    init(
        _ promise: EventLoopPromise<Connector.Connected>,
        resolved: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (ExchangeEvent) -> Void
    ) {
        self.promise = promise
        self.resolved = resolved
        reportEvent = report
    }

    /// Reports an event of the connect attempt.
    ///
    /// The handshake with a proxy may need several channels. The times of the later ones are a part of the handshake.
    func report(_ event: ExchangeEvent) {
        switch event {
        case .tlsStarted, .tlsEnded, .proxyEnded: reportEvent(event)
        case _ where hasBegunProxyHandshake: break
        case .proxyStarted:
            hasBegunProxyHandshake = true
            reportEvent(event)
        default: reportEvent(event)
        }
    }

    /// Records a channel, which fails if the operation is over.
    func record(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            channel.closeOnExecution()
            let handler = SocketHandler()
            try channel.pipeline.syncOperations.addHandler(handler)
            guard !isOver else { throw CancellationError() }
            socketHandlers.append(handler)
        }
    }

    /// Returns the error of an operation that has not ended within a time.
    func timeout(after time: Duration) -> any Error {
        if let lookup { return LookupTimeout(host: lookup.host, time: time) }
        if let proxy { return ProxyFailure(proxy, .noResponse(within: time)) }
        return ChannelError.connectTimeout(TimeAmount(time))
    }

    /// Starts a lookup by a function that returns the one that cancels it, unless the operation is over.
    func beginLookup(
        of host: String,
        _ promise: EventLoopPromise<[SocketAddress]>,
        _ start: () -> @Sendable () -> Void
    ) {
        guard !isOver else { return promise.fail(CancellationError()) }
        report(.lookupStarted(host: host))
        lookup = (host, start())
    }

    func endLookup(_ result: Result<[SocketAddress], any Error>) {
        lookup = nil
        if case .success = result, !isOver { report(.lookupEnded) }
    }

    func cancel(_ error: any Error) {
        guard !isOver else { return }
        isOver = true
        promise.fail(error)
        lookup?.cancel()
        for handler in socketHandlers { handler.closeNow() }
        socketHandlers = []
    }

    func ended(_ result: Result<Connector.Connected, any Error>) {
        switch result {
        case .success(let connected) where isOver:
            connected.closeNow()
        case .success(let connected):
            isOver = true
            socketHandlers = []
            promise.succeed(connected)
        case .failure(let error):
            cancel(error)
        }
    }
}

extension Channel {
    /// Keeps the socket from programs that the process starts.
    ///
    /// A program that inherits it would keep the connection open after the transport has closed it.
    fileprivate func closeOnExecution() {
        _ = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            fcntl($0, F_SETFD, FD_CLOEXEC)
        }
    }
}
#endif
