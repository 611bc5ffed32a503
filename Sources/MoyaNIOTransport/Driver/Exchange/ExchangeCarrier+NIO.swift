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
                let timer = loop.schedule(in: time, body)
                return { timer?.cancel() }
            },
            poolStatus: poolStatus
        )
    }
}
#endif
