/// The state of a session at one moment, for health checks.
///
///     router.get("/ready") { _, _ in session.status.phase == .open ? HTTPResponse.Status.ok : .serviceUnavailable }
public struct SessionStatus: Sendable, Equatable {
    /// Whether the session accepts requests: it is ``ServicePhase/open`` until ``Session/shutdown(grace:)``, and ``ServicePhase/closed``
    /// when the last request has ended after that.
    public var phase: ServicePhase
    /// The number of running requests, including bodies that are being read, and validations in the background.
    public var runningRequests: Int
    /// The state of the transport with its connections and waiting requests; `nil` if it has not been created yet, or does not know its
    /// state.
    public var transport: TransportStatus?

    /// Creates a state.
    public init(phase: ServicePhase, runningRequests: Int, transport: TransportStatus? = nil) {
        (self.phase, self.runningRequests, self.transport) = (phase, runningRequests, transport)
    }
}

extension Session {
    /// The state of the session: whether it accepts requests, and the number of its requests and connections.
    ///
    /// A transport that several sessions share counts the exchanges of all of them.
    public var status: SessionStatus {
        let (phase, count) = runningRequests.status
        return SessionStatus(phase: phase, runningRequests: count, transport: transportStatus)
    }
}
