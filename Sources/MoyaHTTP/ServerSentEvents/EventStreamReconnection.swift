import Foundation
import HTTPTypes

/// The state machine that decides whether an event stream is read, reconnects or ends (WHATWG HTML, section 9.2.3).
///
/// The methods handle the events of the connection and return the action to perform. Pass a parser output to
/// ``handleOutput(_:)`` when it is delivered to the reader, so that the reader does not miss any event after a
/// reconnection.
package struct EventStreamReconnection: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
        /// Read the response as an event stream.
        case read
        /// Wait, then send the request again with this `Last-Event-ID`, or without one if nil.
        case reconnect(after: Duration, lastEventID: String?)
        /// Finish without an error: the server ended the stream with a status 204, or the request must not be repeated.
        case stop
        /// Finish with this error.
        case fail(EventStreamError)
        /// Finish with the error that the failure was created from.
        case failWithCause
    }

    private let policy: ReconnectionPolicy
    /// The number of failures since the last event.
    private var failures = 0
    /// The reconnection time that the server set with `retry`.
    private var retry: Duration?
    /// Whether the last request may be sent again.
    private var canReconnect = true
    /// The last event ID as received.
    package private(set) var lastEventID: String

    /// Creates the state; pass the last event ID of an earlier stream to continue it, or an empty string.
    package init(policy: ReconnectionPolicy, lastEventID: String = "") {
        self.policy = policy
        self.lastEventID = lastEventID
    }

    /// The value of the `Last-Event-ID` header (section 9.2.4), or nil if it is not sent.
    ///
    /// An ID that is not a valid header value, because it contains a control character other than a tab, is not
    /// sent; the server then starts as for a new client. Leading and trailing whitespace is removed, as from any
    /// header value.
    package var lastEventIDHeader: String? {
        let value = lastEventID.withoutOptionalWhitespace
        return !value.isEmpty && HTTPField.isValidValue(value) ? value : nil
    }

    /// Handles the sending of a request with this method.
    package mutating func handleRequest(_ method: HTTPMethod) {
        canReconnect = method.isSafe || policy.repeatsUnsafeRequests
    }

    /// Handles the head of the final response, after redirects.
    ///
    /// `random` returns a value from 0 to 1 for the jitter of the policy.
    package mutating func handleResponse(
        status: Int,
        contentType: String?,
        random: () -> Double = { .random(in: 0...1) }
    ) -> Action {
        switch status {
        case 204: .stop
        case 200: contentType?.isEventStream == true ? .read : .fail(.unexpectedContentType(contentType))
        case _ where canReconnect && policy.isTransient(status: status): handleFailure(.transient, random: random)
        default: .fail(.unexpectedStatus(status))
        }
    }

    /// Classifies the error of a request whose response has a status that its caller does not accept.
    package func failure(status: Int) -> EventStreamFailure {
        policy.isTransient(status: status) ? .transient : .permanent
    }

    /// Handles an output of the parser.
    package mutating func handleOutput(_ output: EventStreamParser.Output) {
        switch output {
        case .event(let event):
            failures = 0
            lastEventID = event.id
        case .lastEventID(let id):
            failures = 0
            lastEventID = id
        case .retry(let delay):
            retry = delay
        }
    }

    /// Handles the end of the response.
    ///
    /// `random` returns a value from 0 to 1 for the jitter of the policy.
    package func handleEnd(random: () -> Double = { .random(in: 0...1) }) -> Action {
        guard canReconnect else { return .stop }
        return .reconnect(
            after: policy.delay(retry: retry, failures: failures, random: random),
            lastEventID: lastEventIDHeader
        )
    }

    /// Handles a failed request or an interrupted response.
    ///
    /// `random` returns a value from 0 to 1 for the jitter of the policy.
    package mutating func handleFailure(
        _ failure: EventStreamFailure,
        random: () -> Double = { .random(in: 0...1) }
    ) -> Action {
        guard failure == .transient, canReconnect else { return .failWithCause }
        failures += 1
        if let maximum = policy.maximumFailures, failures > max(0, maximum) { return .fail(.tooManyFailures(failures)) }
        return handleEnd(random: random)
    }
}

extension String {
    /// Whether this `Content-Type` is `text/event-stream`, ignoring parameters.
    fileprivate var isEventStream: Bool {
        prefix { $0 != ";" }.withoutOptionalWhitespace.lowercased() == "text/event-stream"
    }
}

/// A policy for the delay before an event stream reconnects, and for when it gives up.
///
/// The end of a response is not a failure, since servers end responses to make clients reconnect. A failure is an
/// attempt without a response, or a lost connection; with ``reconnectsAfterServerErrors`` also a status from 500 to 599.
/// Each received event resets the count of failures in a row.
///
/// Only requests with a safe method (GET, HEAD, OPTIONS, TRACE, QUERY; RFC 9110, section 9.2.1) are sent again. With another
/// method the stream ends with the response, unless ``repeatsUnsafeRequests`` is true.
public struct ReconnectionPolicy: Equatable, Sendable {
    /// The delay unless the server sets another one with `retry`.
    public var initialDelay: Duration
    /// The limit of the delay, for the value that the server sets and for the back-off.
    ///
    /// Jitter is added to it.
    public var maximumDelay: Duration
    /// The number of failures in a row after which the stream still reconnects; 0 for none, nil for no limit.
    public var maximumFailures: Int?
    /// The factor by which each failure in a row after the first multiplies the delay; 1 for a constant delay.
    ///
    /// Values less than 1 and NaN count as 1.
    public var backoffFactor: Double
    /// The maximum random addition to the delay, as a fraction of the delay from 0 to 1.
    ///
    /// It keeps clients that lost a server at the same time from reconnecting at the same time.
    public var jitter: Double
    /// Whether the stream reconnects after a response with a status from 500 to 599, as a server or its proxy sends it
    /// while the server is replaced.
    ///
    /// Otherwise such a status ends the stream, as the specification requires (WHATWG HTML, section 9.2.2).
    public var reconnectsAfterServerErrors: Bool
    /// Whether a request whose method is not safe, such as POST, is sent again to reconnect.
    ///
    /// Set it for a server that continues its stream after a repeated request. It is false by default, because with most servers
    /// a repeated POST performs its action again, such as generating a text.
    public var repeatsUnsafeRequests: Bool

    /// Creates a policy.
    ///
    /// The defaults are those of browsers: 3 seconds or the time that the server sets, without a limit on failures, the
    /// end after a status that is not 200, and no repetition of requests that are not safe.
    public init(
        initialDelay: Duration = .seconds(3),
        maximumDelay: Duration = .seconds(300),
        maximumFailures: Int? = nil,
        backoffFactor: Double = 1,
        jitter: Double = 0,
        reconnectsAfterServerErrors: Bool = false,
        repeatsUnsafeRequests: Bool = false
    ) {
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.maximumFailures = maximumFailures
        self.backoffFactor = backoffFactor
        self.jitter = jitter
        self.reconnectsAfterServerErrors = reconnectsAfterServerErrors
        self.repeatsUnsafeRequests = repeatsUnsafeRequests
    }

    func isTransient(status: Int) -> Bool {
        reconnectsAfterServerErrors && (500..<600).contains(status)
    }

    /// The minimum of a delay that the server sets.
    ///
    /// It keeps clients from spinning if an unreachable server had set 0. Waiting longer than `retry` is allowed
    /// (WHATWG HTML, section 9.2.3).
    static let shortestRetry = Duration.milliseconds(100)

    /// Returns the delay before the next attempt.
    ///
    /// Without jitter it is from zero to one year for any values.
    ///
    /// - Parameters:
    ///   - retry: The last reconnection time that the server set.
    ///   - failures: The number of failures in a row.
    ///   - random: Returns a value from 0 to 1. It is called only if there is jitter.
    /// - Returns: The delay, jitter included.
    func delay(retry: Duration?, failures: Int, random: () -> Double) -> Duration {
        let base = retry.map { max($0, Self.shortestRetry) } ?? initialDelay
        let factor = backoffFactor > 1 ? pow(backoffFactor, Double(max(0, failures - 1))) : 1
        let delay = base.clamped(multipliedBy: factor, limit: maximumDelay)
        // This order treats NaN as no jitter.
        guard jitter > 0 else { return delay }
        return delay + delay.clamped(multipliedBy: min(jitter, 1) * random(), limit: delay)
    }
}

extension Duration {
    /// Returns the product without overflow; it is exact for a factor of 1.
    fileprivate func clamped(multipliedBy factor: Double, limit: Duration) -> Duration {
        let product = factor == 1 ? self : Duration(clampingSeconds: (self / .seconds(1)) * factor)
        return max(.zero, min(product, limit, .longestTimeout))
    }
}
