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

extension EventStreamError: MaskedError {
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

/// The kind of a failure, which decides whether an event stream reconnects.
///
/// A stream does not reconnect after a cancellation, or if another attempt is known to be futile (WHATWG HTML, section 9.2.2).
package enum EventStreamFailure: Equatable, Sendable {
    /// A network or server failure; the next attempt may succeed.
    case transient
    /// The next attempt would fail in the same way, or is not wanted.
    case permanent

    /// Classifies the error that an exchange or the parser threw.
    ///
    /// Transports throw `URLError`. Any other error comes from the client (a check, a limit or an interceptor) and
    /// would occur again.
    package init(_ error: any Error) {
        guard let code = error.asURLError?.code else {
            self = .permanent
            return
        }
        self = Self.permanentCodes.contains(code) ? .permanent : .transient
    }

    private static let permanentCodes: Set<URLError.Code> = [
        .cancelled, .badURL, .unsupportedURL, .httpTooManyRedirects, .redirectToNonExistentLocation,
        .userAuthenticationRequired, .userCancelledAuthentication, .appTransportSecurityRequiresSecureConnection,
        .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
        .serverCertificateNotYetValid, .clientCertificateRequired, .clientCertificateRejected,
        .dataLengthExceedsMaximum,
    ]
}

/// An error that ends a stream whose lines or events exceed the reader's limits.
///
/// Without limits, a peer that never sends a line terminator, or never ends an event, could exhaust memory. Limits
/// are in bytes as received.
public enum StreamLimitError: Error, Equatable, Sendable {
    /// A line has more bytes than the limit, terminator excluded.
    case lineTooLong(limit: Int)
    /// The data of one server-sent event has more bytes than the limit, including the line feeds between its lines.
    case eventTooLarge(limit: Int)
}

extension StreamLimitError: MaskedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? {
        switch self {
        case .lineTooLong(let limit):
            "The stream has a line of more than \(limit) bytes: raise the limit if such lines are expected."
        case .eventTooLarge(let limit):
            "The stream has an event with more than \(limit) bytes of data: raise the limit if such events are expected."
        }
    }
}
