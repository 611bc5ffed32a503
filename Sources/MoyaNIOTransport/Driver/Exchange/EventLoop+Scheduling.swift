#if NIO && !canImport(Darwin)
import NIOCore

extension EventLoop {
    /// Runs a function on the event loop: immediately if that is the current one, otherwise later.
    func runOnLoop(_ body: @escaping @Sendable () -> Void) {
        if inEventLoop { body() } else { execute(body) }
    }

    /// Schedules a function without a future for its result; `nil` if the event loop is shut down, when no timer is needed.
    func schedule(in time: Duration, _ body: @escaping @Sendable () -> Void) -> NIOScheduledCallback? {
        try? scheduleCallback(in: TimeAmount(time), handler: ScheduledFunction(body: body))
    }
}

private struct ScheduledFunction: NIOScheduledCallbackHandler, Sendable {
    let body: @Sendable () -> Void

    func handleScheduledCallback(eventLoop: some EventLoop) { body() }
}
#endif
