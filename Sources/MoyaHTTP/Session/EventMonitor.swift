import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Learns what happens to the requests of a session, and when: for metrics, traces, a waterfall.
///
///     struct Printer: EventMonitor {
///         func record(_ event: RequestEvent) { print(event.id, event.retryCount, event.kind) }
///     }
///     let session = Session(eventMonitors: [Printer()])
///
/// It is called as things happen, on whatever thread they happen on, and what it does delays the request: be quick. The
/// events of one request come in order, one after the other. It sees requests with all that is in them, secrets included.
@preconcurrency
public protocol EventMonitor: Sendable {
    /// Takes note of an event.
    func record(_ event: RequestEvent)
}

/// Something that happened to a request.
public struct RequestEvent: Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// The session has got the request, and will do what it takes.
        case queued(URLRequest)
        /// An exchange begins, with the request as it goes to the transport. There is one for each try, each redirect, and
        /// each challenge that is answered.
        case sending(URLRequest)
        /// The exchange has a connection, and the request's head is on it. URLSession on Linux tells when some of
        /// the request's body has left, or with the head of the response.
        case connected
        /// The head of a response is there.
        case head(status: Int, headers: HTTPFields)
        /// The request was lost with its connection, or the server has not processed it, and it is sent again. This is no retry:
        /// no interceptor is asked.
        case resending(because: ResendReason)
        /// The response is a redirect, and is followed.
        case redirecting(to: URL)
        /// The response is a challenge, and is answered.
        case authenticating(scheme: String)
        /// Some of the body that the caller gets is there.
        case body(bytes: Int)
        /// The try was of no avail; the request is repeated after a time.
        case retrying(after: Duration, because: RequestAttempt.Outcome)
        /// The request has ended with a response whose body is there to its end.
        case finished(status: Int)
        /// The request has ended with an error.
        case failed(any Error)
    }

    /// The request's own number, the same for all its tries and hops.
    public let id: UUID
    /// How often the request was repeated before: 0 for the first try.
    public let retryCount: Int
    /// How many redirects were followed in this try.
    public let redirectCount: Int
    /// What happened.
    public let kind: Kind
    /// When it happened.
    public let date: Date
    /// When it happened, to measure with.
    public let instant: ContinuousClock.Instant
}
