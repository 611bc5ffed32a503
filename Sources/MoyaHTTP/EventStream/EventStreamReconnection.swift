import Foundation
import HTTPTypes

/// Whether an event stream is read, connected again, or over (WHATWG HTML, section 9.2.3). Pure: events in, actions out.
///
/// The methods are named after what happens on the connection. What a parser puts out goes to ``received(_:)`` when it
/// goes to the reader, so that the reader misses nothing after a reconnection.
package struct EventStreamReconnection: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
        /// Read the response as an event stream.
        case read
        /// Wait for the given time, then send the request again with this `Last-Event-ID`, or without one if nil.
        case reconnect(after: Duration, lastEventID: String?)
        /// The server says that there is no more: end in order.
        case stop
        /// End with this error.
        case fail(EventStreamError)
        /// End with the very error that the failure was made from.
        case failWithCause
    }

    private let policy: ReconnectionPolicy
    /// How many failures there were since the last event.
    private var failures = 0
    /// The reconnection time that the server has asked for.
    private var retry: Duration?
    /// The last event ID, as it came.
    package private(set) var lastEventID: String

    /// - Parameter lastEventID: From an earlier stream that this one continues; empty for none.
    package init(policy: ReconnectionPolicy, lastEventID: String = "") {
        self.policy = policy
        self.lastEventID = lastEventID
    }

    /// The value of the header `Last-Event-ID` (section 9.2.4); nil where it is not to be sent.
    ///
    /// An ID that no header can carry, because it has a control character other than a tab, is not sent: the request
    /// goes out, and the server begins where it begins for a new client. Space around the ID is lost, as around any
    /// header's value.
    package var lastEventIDHeader: String? {
        let value = lastEventID.withoutOptionalWhitespace
        return !value.isEmpty && HTTPField.isValidValue(value) ? value : nil
    }

    /// A response's head has arrived, redirects followed.
    package func connected(status: Int, contentType: String?) -> Action {
        switch status {
        case 204: .stop
        case 200: contentType?.isEventStream == true ? .read : .fail(.unexpectedContentType(contentType))
        default: .fail(.unexpectedStatus(status))
        }
    }

    /// The parser has put something out.
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

    /// The response has come to its end.
    ///
    /// - Parameter random: From 0 to 1, for the policy's jitter.
    package func ended(random: () -> Double = { .random(in: 0...1) }) -> Action {
        .reconnect(
            after: policy.delay(retry: retry, failures: failures, random: random),
            lastEventID: lastEventIDHeader
        )
    }

    /// There is no response, or it has broken off.
    ///
    /// - Parameter random: From 0 to 1, for the policy's jitter.
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
    /// Whether this is the value of a `Content-Type` of an event stream, with whatever parameters.
    fileprivate var isEventStream: Bool {
        prefix { $0 != ";" }.withoutOptionalWhitespace.lowercased() == "text/event-stream"
    }
}
