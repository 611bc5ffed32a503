#if NIO && !canImport(Darwin)
import NIOCore

extension Exchange.Carrier {
    /// Creates a carrier with timers on an event loop.
    package init(
        on loop: any EventLoop,
        poolStatus: (@Sendable () -> PoolStatus)? = nil,
        stop: @escaping @Sendable (Exchange) -> Void
    ) {
        self.init(
            stop: stop,
            schedule: { time, body in
                // Scheduling fails if the loop is shut down; then no timer is needed.
                let timer = try? loop.scheduleCallback(in: TimeAmount(time), handler: ScheduledCallback(body: body))
                return { timer?.cancel() }
            },
            poolStatus: poolStatus
        )
    }

    /// Creates the carrier of all exchanges on a connection, which checks their timeouts itself.
    ///
    /// It does not keep the connection alive, since the connection owns it.
    init(of connection: any HTTPConnection, on loop: any EventLoop) {
        let bound = NIOLoopBound(WeakConnection(connection: connection), eventLoop: loop)
        self.init(
            stop: { exchange in loop.runOnLoop { bound.value.connection?.stop(exchange) } },
            schedule: nil
        )
    }
}

/// A timer without a future.
private struct ScheduledCallback: NIOScheduledCallbackHandler, Sendable {
    let body: @Sendable () -> Void

    func handleScheduledCallback(eventLoop: some EventLoop) { body() }
}

private struct WeakConnection {
    weak var connection: (any HTTPConnection)?
}
#endif
