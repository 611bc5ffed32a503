#if NIO && !canImport(Darwin)
import NIOCore

/// The timer of an HTTP/2 connection, which asks by PINGs whether the server responds: ``HTTP2Responsiveness`` and the actions that it
/// requires.
///
/// It must be used on its event loop only.
final class PingTimer {
    /// An event for the connection.
    enum Event: Equatable {
        /// Send a PING.
        case pingDue
        /// The server responds again, or it is in doubt whether it does.
        case responsivenessChanged(to: Bool)
        /// The server has not responded to a PING in time.
        case pingTimedOut
    }

    private let loop: any EventLoop
    private let started: NIODeadline
    private let hasRequests: () -> Bool
    private let hasPendingInput: () -> Bool
    private let report: (Event) -> Void
    private var responsiveness = HTTP2Responsiveness()
    private var scheduled: Scheduled<Void>?
    /// The time of the last received bytes; at first the time when the connection was opened.
    private(set) var lastReceived: NIODeadline

    /// Creates the timer of a connection that has just been opened.
    ///
    /// - Parameters:
    ///   - loop: The event loop of the connection.
    ///   - now: The time.
    ///   - hasRequests: Returns whether requests run on the connection.
    ///   - hasPendingInput: Returns whether bytes wait in the socket.
    ///   - report: Receives the events.
    init(
        on loop: any EventLoop,
        at now: NIODeadline,
        hasRequests: @escaping () -> Bool,
        hasPendingInput: @escaping () -> Bool,
        report: @escaping (Event) -> Void
    ) {
        self.loop = loop
        (started, lastReceived) = (now, now)
        self.hasRequests = hasRequests
        self.hasPendingInput = hasPendingInput
        self.report = report
    }

    /// Handles bytes of the server.
    func receivedBytes(at now: NIODeadline) {
        lastReceived = now
        if responsiveness.receivedBytes(at: time(of: now)) { report(.responsivenessChanged(to: true)) }
    }

    /// Handles a request that is sent.
    func sentRequest(at now: NIODeadline) { perform(responsiveness.sentRequest(at: time(of: now))) }

    /// Handles a request that has timed out without a response: doubts that the server responds, unless anything has been received since
    /// the request was sent.
    func requestTimedOut(sentAt sent: NIODeadline, at now: NIODeadline) {
        let action = responsiveness.requestTimedOut(sentAt: time(of: sent), at: time(of: now))
        guard responsiveness.isInDoubt else { return }
        report(.responsivenessChanged(to: false))
        perform(action)
    }

    /// Stops the timer.
    func stop() { scheduled?.cancel() }

    private func time(of deadline: NIODeadline) -> Duration { .nanoseconds((deadline - started).nanoseconds) }

    private func perform(_ action: HTTP2Responsiveness.Action) {
        switch action {
        case .none: break
        case .check(let time): scheduleCheck(at: time)
        case .ping(let time):
            scheduled?.cancel()
            scheduleCheck(at: time)
            report(.pingDue)
        case .endConnection: report(.pingTimedOut)
        }
    }

    private func scheduleCheck(at time: Duration) {
        scheduled = loop.assumeIsolated().scheduleTask(deadline: started + TimeAmount(time)) { [self] in
            perform(
                responsiveness.checkDue(
                    at: self.time(of: loop.now),
                    hasRequests: hasRequests(),
                    hasPendingInput: hasPendingInput()
                )
            )
        }
    }
}
#endif
