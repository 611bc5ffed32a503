import Foundation
import HTTPTypes

/// The state machine that decides whether an event stream is read, reconnects or ends (WHATWG HTML, section 9.2.3).
///
/// The methods are named after events on the connection and return the action to perform. Pass a parser output to
/// ``received(_:)`` when it is delivered to the reader, so that the reader does not miss any event after a
/// reconnection.
package struct EventStreamReconnection: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
        /// Read the response as an event stream.
        case read
        /// Wait, then send the request again with this `Last-Event-ID`, or without one if nil.
        case reconnect(after: Duration, lastEventID: String?)
        /// The server ended the stream (status 204): finish without an error.
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

    /// Handles the head of the final response, after redirects.
    package func connected(status: Int, contentType: String?) -> Action {
        switch status {
        case 204: .stop
        case 200: contentType?.isEventStream == true ? .read : .fail(.unexpectedContentType(contentType))
        default: .fail(.unexpectedStatus(status))
        }
    }

    /// Handles an output of the parser.
    package mutating func received(_ output: EventStreamParser.Output) {
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
    package func ended(random: () -> Double = { .random(in: 0...1) }) -> Action {
        .reconnect(
            after: policy.delay(retry: retry, failures: failures, random: random),
            lastEventID: lastEventIDHeader
        )
    }

    /// Handles a failed request or an interrupted response.
    ///
    /// `random` returns a value from 0 to 1 for the jitter of the policy.
    package mutating func failed(
        _ failure: EventStreamFailure,
        random: () -> Double = { .random(in: 0...1) }
    ) -> Action {
        guard failure == .transient else { return .failWithCause }
        failures += 1
        if let maximum = policy.maximumFailures, failures > max(0, maximum) { return .fail(.tooManyFailures(failures)) }
        return ended(random: random)
    }
}

extension String {
    /// Whether this `Content-Type` is `text/event-stream`, ignoring parameters.
    fileprivate var isEventStream: Bool {
        prefix { $0 != ";" }.withoutOptionalWhitespace.lowercased() == "text/event-stream"
    }
}
