import Foundation
import HTTPTypes

/// An event in the life of a request.
public struct RequestEvent: Sendable {
    /// The detail that a monitor needs: ``EventMonitor/detail``.
    public enum Detail: Int, Comparable, Sendable, CaseIterable {
        /// The events except ``RequestEvent/Kind/phase(_:)`` and ``RequestEvent/Kind/cacheMissed``.
        case standard
        /// The events of ``standard``, and the ``RequestEvent/metrics``.
        case metrics
        /// All events, and the ``RequestEvent/metrics``.
        case phases

        /// Returns whether the first detail is contained in the second one.
        public static func < (one: Detail, other: Detail) -> Bool { one.rawValue < other.rawValue }
    }

    /// The kind of an event.
    public enum Kind: Sendable {
        /// The session has received the request.
        case queued(URLRequest)
        /// The request waits for a permit of a ``ConcurrencyLimiter``, behind `position` other requests of the key.
        case waitingForPermit(key: String, position: Int)
        /// An exchange waits for the permission of a ``RateLimiter``, behind `position` others of the key.
        case waitingForRateLimit(key: String, position: Int, atLeast: Duration)
        /// The server's response tells all requests of a ``RateLimiter``'s key to wait.
        case rateLimited(key: String, for: Duration)
        /// The outcome of the exchange opens the circuit of a ``CircuitBreaker``'s key: other requests fail until a probe succeeds.
        case circuitOpened(key: String, for: Duration)
        /// The exchange is the first probe of a circuit that was opened so long ago.
        case circuitHalfOpened(key: String, after: Duration)
        /// The success of a probe closes a circuit that was opened so long ago.
        case circuitClosed(key: String, after: Duration)
        /// The exchange is slow, and a ``Hedging`` sends another one for the same request, after this time.
        ///
        /// The event and the events of the new exchange have its number: ``RequestEvent/hedge``.
        case hedging(after: Duration)
        /// The exchanges of a hedged request have ended, and the response to the one with this number is used: 0 for the first one.
        ///
        /// It is `nil` if all exchanges have failed. The others are cancelled, and have no further event.
        case hedgingEnded(winner: Int?)
        /// An exchange begins, with the request as adapters, plugins and redirects have made it.
        ///
        /// The request may lack the fields that the session adds, such as cookies, and has no changes of exchange middleware. Each
        /// attempt, each redirect and each answered challenge has an exchange.
        case sending(URLRequest)
        /// The exchange has a connection, which sends the request's head now.
        ///
        /// URLSession on Linux reports it when a part of the request's body was sent, or with the head of the response.
        case connected
        /// The exchange has reached another phase, for monitors with the ``EventMonitor/detail`` ``RequestEvent/Detail/phases``.
        ///
        /// The event ``interim(status:headers:)`` reports interim responses, and no phase does. The ``RequestEvent/instant`` is the time
        /// of the phase. A transport may report a phase later, and URLSession reports all phases when the body has arrived.
        case phase(ExchangeEvent)
        /// An interim response has arrived, such as `102 (Processing)` or `103 (Early Hints)` (RFC 9110, section 15.2); the
        /// response follows.
        ///
        /// AsyncHTTPClient does not report it, and URLSession only on macOS 14, iOS 17 and later.
        case interim(status: Int, headers: HTTPFields)
        /// The head of a response has arrived.
        ///
        /// The event's ``RequestEvent/info`` has the version of HTTP and the addresses of the connection.
        case head(status: Int, headers: HTTPFields)
        /// The request was lost with its connection, or was not processed by the server, and is sent again.
        ///
        /// This is not a retry: interceptors are not called.
        case resending(because: ResendReason)
        /// The session's cache has the response; the source tells whether the server has confirmed it.
        case cached(ResponseSource)
        /// The head of the response has arrived from the server, and no response of the session's cache takes its place. For monitors
        /// with the ``EventMonitor/detail`` ``RequestEvent/Detail/phases``.
        case cacheMissed
        /// The response is a redirect, which is followed.
        case redirecting(to: URL)
        /// The response is a challenge, which is answered.
        case authenticating(scheme: String)
        /// A part of the body that the caller gets has arrived.
        case body(bytes: Int)
        /// The attempt has failed, and the request is retried after a delay.
        case retrying(after: Duration, because: RequestAttempt.Outcome)
        /// The request has failed, or was not sent, and a ``Fallback`` is used in place of its response.
        ///
        /// If the fallback is another base URL, the following events belong to the request to it.
        case fallingBack(to: Fallback.Kind, because: Fallback.Cause)
        /// The request has ended with a response whose body has arrived completely.
        case finished(status: Int)
        /// The request has ended with an error.
        case failed(any Error)
    }

    /// The request's ID, the same in all attempts and after redirects.
    public let id: UUID
    /// The number of retries before the current attempt: 0 for the first attempt.
    public let retryCount: Int
    /// The number of redirects that were followed in the current attempt.
    public let redirectCount: Int
    /// The number of the exchange among those that a ``Hedging`` has sent at the same time: 0 for the first one, and for events of
    /// the request; 1 and so on for the hedges.
    public let hedge: Int
    /// The kind of the event.
    public let kind: Kind
    /// The version of HTTP, the reason phrase and the addresses of the connection of a ``Kind/head(status:headers:)``; `nil` for
    /// other events, and if the transport knows none of these facts.
    public let info: ResponseInfo?
    /// The date of the event.
    public let date: Date
    /// The monotonic time of the event, to measure durations.
    public var instant: ContinuousClock.Instant { time.instant }
    let time: MonotonicTime
    /// Records the metrics of the request; `nil` if nobody asks for them.
    let metricsRecorder: RequestMetricsRecorder?

    /// The metrics of the request so far, which are complete with its last event; `nil` if nobody asks for them.
    ///
    /// A monitor asks for them by its ``EventMonitor/detail``. They are created each time they are read.
    public var metrics: RequestMetrics? { metricsRecorder?.metrics }
}
