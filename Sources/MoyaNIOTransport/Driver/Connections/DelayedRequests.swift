#if NIO && !canImport(Darwin)
import NIOCore

/// The requests of a connection that wait until the event loop has read pending input.
///
/// One timer checks the input for all of them. Its delay doubles, because an event loop runs all due timers before it reads:
/// on a busy machine, many timers with a constant delay would always be due, and the input would never be read.
/// It must be used on its event loop only.
final class DelayedRequests {
    private let loop: any EventLoop
    private var requests: [OutboundRequest] = []
    private var delay = PendingInput.readTime

    init(on loop: any EventLoop) { self.loop = loop }

    /// Adds a request, and runs it when the timer fires.
    ///
    /// The input may have ended the connection until then.
    func add(_ request: OutboundRequest, run: @escaping (OutboundRequest) -> Void) {
        requests.append(request)
        guard requests.count == 1 else { return }
        let bound = NIOLoopBound((self, run), eventLoop: loop)
        loop.scheduleTask(in: delay) {
            let (delayed, run) = bound.value
            let requests = delayed.requests
            delayed.requests = []
            requests.forEach(run)
        }
        delay = min(delay * 2, PendingInput.longestReadTime)
    }

    /// Makes the next check early again, since the input has been read.
    func restoreDelay() { delay = PendingInput.readTime }
}
#endif
