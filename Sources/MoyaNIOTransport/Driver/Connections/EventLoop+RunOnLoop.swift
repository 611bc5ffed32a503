#if NIO && !canImport(Darwin)
import NIOCore

extension EventLoop {
    /// Runs a function on the event loop: immediately if that is the current one, otherwise later.
    func runOnLoop(_ body: @escaping @Sendable () -> Void) {
        if inEventLoop { body() } else { execute(body) }
    }
}
#endif
