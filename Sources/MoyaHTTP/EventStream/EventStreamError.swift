import Foundation

/// An error that ends an event stream permanently.
public enum EventStreamError: Error, Equatable, Sendable {
    /// The response status is not 200 (WHATWG HTML, section 9.2.2), so the stream does not reconnect.
    ///
    /// Status 204 is not an error: it means that the stream is complete.
    case unexpectedStatus(Int)
    /// The `Content-Type` of the response is not `text/event-stream`, or is missing (nil).
    ///
    /// The stream does not reconnect.
    case unexpectedContentType(String?)
    /// The given number of attempts failed in a row, one more than ``ReconnectionPolicy/maximumFailures``.
    case tooManyFailures(Int)
}

extension EventStreamError: LocalizedError {
    /// A sentence that describes the problem and, where possible, a remedy.
    public var errorDescription: String? {
        switch self {
        case .unexpectedStatus(let status):
            "The server responded to the request for an event stream with status \(status) instead of 200."
        case .unexpectedContentType(nil):
            "The response has no Content-Type: the type of an event stream must be text/event-stream."
        case .unexpectedContentType(let type?):
            "The response's Content-Type is \"\(type)\": the type of an event stream must be text/event-stream."
        case .tooManyFailures(let count):
            "The connection to the event stream has failed \(count == 1 ? "once" : "\(count) times in a row"): "
                + "check the network and the server, or let the reconnection policy allow more failures."
        }
    }
}
