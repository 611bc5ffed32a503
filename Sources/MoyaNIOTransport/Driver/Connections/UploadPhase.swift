#if NIO && !canImport(Darwin)
import NIOCore

/// The phase of reading a request body.
///
/// It must be used on the event loop of the connection only.
enum UploadPhase {
    /// Nothing has to be read any more, or at all: the body has been read completely, is in memory, or does not exist.
    case inactive
    /// The body waits until the server agrees to it (RFC 9110, section 10.1.1), or until the timer fires.
    case waiting(ContinueStateMachine, timer: Scheduled<Void>)
    case reading(BodyUpload)

    var isInactive: Bool { if case .inactive = self { true } else { false } }

    /// Lets the body wait until the server agrees to it, refuses the request, or does neither for too long.
    ///
    /// `onTimeout` is called in the last case.
    mutating func hold(
        for expectation: OutboundRequest.Expectation,
        on loop: any EventLoop,
        onTimeout: @escaping () -> Void
    ) {
        let timer = loop.assumeIsolated().scheduleTask(in: TimeAmount(expectation.timeout), onTimeout)
        self = .waiting(ContinueStateMachine(), timer: timer)
    }

    /// Passes an event to a body that waits.
    mutating func update(_ event: (inout ContinueStateMachine) -> Void) {
        guard case .waiting(var machine, let timer) = self else { return }
        event(&machine)
        self = .waiting(machine, timer: timer)
    }

    /// Ends the wait, and returns the body, if it waits and may be sent now.
    mutating func takeAllowedBody(of request: OutboundRequest) -> HTTPBody.Reader? {
        guard case .waiting(let machine, _) = self, machine.isAllowed, case .reader(let body) = request.message.body
        else { return nil }
        stop()
        request.expectation?.recordBodyStart()
        return body
    }

    /// Stops waiting or reading.
    mutating func stop() {
        switch self {
        case .inactive: return
        case .waiting(_, let timer): timer.cancel()
        case .reading(let upload): upload.stop()
        }
        self = .inactive
    }
}
#endif
