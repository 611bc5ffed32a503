#if NIO && !canImport(Darwin)
import NIOCore

/// The upload of one streamed request body, for both versions of HTTP: the body waits until the server agrees to it, if the request has
/// an expectation, and is then read.
///
/// It must be used on the event loop of the connection only.
final class BodyUpload {
    typealias Event = BodyReadAhead.Event

    private enum Phase {
        /// The body waits until the server agrees to it (RFC 9110, section 10.1.1), or until the timer fires.
        case waiting(ContinueStateMachine, ContinueExpectation, timer: Scheduled<Void>)
        case reading(BodyReadAhead)
        case stopped
    }

    private let body: HTTPBody.Reader
    private let loop: any EventLoop
    private let starter: UpgradeTaskStarter?
    private let onEvent: @Sendable (Event) -> Void
    private var phase = Phase.stopped

    /// Begins to read a body, or lets it wait for the server.
    ///
    /// `starter` starts the task that reads the output of an upgrade; `onEvent` is called on the event loop.
    init(
        _ body: HTTPBody.Reader,
        expecting expectation: ContinueExpectation?,
        on loop: any EventLoop,
        startedBy starter: UpgradeTaskStarter?,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        (self.body, self.loop, self.starter, self.onEvent) = (body, loop, starter, onEvent)
        if let expectation { waitForServer(expectation) } else { read() }
    }

    private func waitForServer(_ expectation: ContinueExpectation) {
        let timer = loop.assumeIsolated().scheduleTask(in: TimeAmount(expectation.timeout)) {
            self.update { $0.timedOut() }
            self.readIfAllowed()
        }
        phase = .waiting(ContinueStateMachine(), expectation, timer: timer)
    }

    /// Handles an interim response, which may allow a body that waits.
    func receivedInterim(status: Int) { update { $0.receivedInterim(status: status) } }

    /// Handles the head of the final response, which allows or refuses a body that waits.
    func receivedHead(status: Int) { update { $0.receivedHead(status: status) } }

    private func update(_ event: (inout ContinueStateMachine) -> Void) {
        guard case .waiting(var machine, let expectation, let timer) = phase else { return }
        event(&machine)
        phase = .waiting(machine, expectation, timer: timer)
    }

    /// Begins to read a body that has waited, if it is allowed now.
    func readIfAllowed() {
        guard case .waiting(let machine, let expectation, let timer) = phase, machine.isAllowed else { return }
        timer.cancel()
        // Otherwise, the request is sent again with the body.
        if expectation.claimBody() { read() } else { phase = .stopped }
    }

    private func read() { phase = .reading(BodyReadAhead(body, on: loop, startedBy: starter, onEvent: onEvent)) }

    /// Stops waiting or reading.
    func stop() {
        switch phase {
        case .waiting(_, _, let timer): timer.cancel()
        case .reading(let readAhead): readAhead.stop()
        case .stopped: break
        }
        phase = .stopped
    }
}
#endif
