import Foundation

/// Why an event stream has ended for good, where it was not the server that ended it in order.
public enum EventStreamError: Error, Equatable, Sendable {
    /// The server answered with this status instead of 200 (WHATWG HTML, section 9.2.2). It is not asked again. 204 is
    /// no error: with it the server says that there is no more.
    case unexpectedStatus(Int)
    /// The response is no `text/event-stream` but this, or says nothing of its type. It is not asked for again.
    case unexpectedContentType(String?)
    /// So many attempts have failed in a row, one more than ``ReconnectionPolicy/maximumFailures``.
    case tooManyFailures(Int)
}

extension EventStreamError: LocalizedError {
    /// What is wrong, and what to do where something can be done, in one sentence.
    public var errorDescription: String? {
        switch self {
        case .unexpectedStatus(let status):
            "The server answered the request for an event stream with status \(status) instead of 200."
        case .unexpectedContentType(nil):
            "The response has no Content-Type: an event stream has to be declared as text/event-stream."
        case .unexpectedContentType(let type?):
            "The response's Content-Type is \"\(type)\": an event stream has to be declared as text/event-stream."
        case .tooManyFailures(let count):
            "The connection to the event stream has failed \(count == 1 ? "once" : "\(count) times in a row"): "
                + "check the network and the server, or let the reconnection policy allow more failures."
        }
    }
}
