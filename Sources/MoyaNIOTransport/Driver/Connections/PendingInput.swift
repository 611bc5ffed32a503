#if NIO && !canImport(Darwin)
import NIOCore

/// The check of a connection that has been idle, before a request is sent on it.
///
/// The server may have closed the connection, although the event loop has not read that yet. A request that is sent then is
/// lost, and cannot be sent again unless its method is idempotent (RFC 9110, section 9.2.2). The check is one system call. It
/// is left out for requests that can be sent again, if the connection was used just before.
enum PendingInput {
    /// The idle time up to which requests that can be sent again are sent without a check.
    static let uncheckedTime = TimeAmount.milliseconds(5)

    /// Returns whether a request must wait for a read of the event loop, because unread bytes, or the unread end of the connection, wait
    /// in the socket of an idle connection.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - isReused: Whether the connection has carried a request.
    ///   - idleTime: The time for which the connection has been idle.
    ///   - socket: The socket of the connection.
    /// - Returns: False also if the check is left out.
    static func mustWaitForRead(
        before request: OutboundRequest,
        isReused: Bool,
        idleTime: TimeAmount,
        _ socket: ConnectionSocket?
    ) -> Bool {
        guard (isReused && !request.canBeResent) || idleTime > uncheckedTime else { return false }
        return socket?.hasPendingInput ?? false
    }
}

/// The requests of a connection that wait until the event loop has read pending input.
///
/// One timer checks the input for all of them. It must be used on its event loop only.
final class DelayedRequests {
    private let loop: any EventLoop
    private var requests: [OutboundRequest] = []
    private var delay = PendingInputDelay()

    init(on loop: any EventLoop) { self.loop = loop }

    /// Adds a request, and runs it when the timer fires.
    ///
    /// The input may have ended the connection until then.
    func add(_ request: OutboundRequest, run: @escaping (OutboundRequest) -> Void) {
        requests.append(request)
        guard requests.count == 1 else { return }
        let bound = NIOLoopBound((self, run), eventLoop: loop)
        loop.scheduleTask(in: TimeAmount(delay.take())) {
            let (delayed, run) = bound.value
            let requests = delayed.requests
            delayed.requests = []
            requests.forEach(run)
        }
    }

    /// Makes the next check early again, since the input has been read.
    func restoreDelay() { delay.restore() }
}
#endif
