#if NIO && !canImport(Darwin)
    import NIOCore

    extension Exchange.Carrier {
        /// Creates a carrier with timers on an event loop.
        package init(
            on loop: any EventLoop,
            wait: (@Sendable () -> ConnectionWait)? = nil,
            cancel: @escaping @Sendable (Exchange) -> Void
        ) {
            self.init(
                cancel: cancel,
                schedule: { time, body in
                    // Scheduling fails if the loop is shut down; then no timer is needed.
                    let timer = try? loop.scheduleCallback(in: TimeAmount(time), handler: ScheduledCallback(body: body))
                    return { timer?.cancel() }
                },
                wait: wait
            )
        }
    }

    /// A timer without a future.
    private struct ScheduledCallback: NIOScheduledCallbackHandler, Sendable {
        let body: @Sendable () -> Void

        func handleScheduledCallback(eventLoop: some EventLoop) { body() }
    }
#endif
