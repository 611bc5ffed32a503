#if AsyncHTTPClient && !canImport(Darwin)
    import NIOCore

    extension Exchange.Engine {
        /// An engine whose timers are those of an event loop.
        init(on loop: any EventLoop, cancel: @escaping @Sendable () -> Void) {
            self.init(
                cancel: cancel,
                schedule: { time, body in
                    // It fails where the loop is shut down, and nothing is run any more.
                    let timer = try? loop.scheduleCallback(in: TimeAmount(time), handler: Alarm(ring: body))
                    return { timer?.cancel() }
                }
            )
        }
    }

    /// A timer that is no future as well: it is made and thrown away with each request.
    private struct Alarm: NIOScheduledCallbackHandler, Sendable {
        let ring: @Sendable () -> Void

        func handleScheduledCallback(eventLoop: some EventLoop) { ring() }
    }
#endif
