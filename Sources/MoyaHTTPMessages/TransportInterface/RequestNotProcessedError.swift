import Foundation

/// An error for a request that the server has not processed, so that sending it again is safe for any method.
///
/// The server refused the stream, or closed the connection and reported that it had not processed this request (RFC
/// 9113, sections 6.8 and 8.7). The error is the `NSUnderlyingErrorKey` of a `URLError.networkConnectionLost`; see
/// `URLError.isRequestUnprocessed`.
public struct RequestNotProcessedError: Error, Sendable, MaskedError {
    /// The pace at which the request is sent again.
    package enum Pace: Sendable {
        /// The session sends the request again, with a delay after the first few times.
        case bySession
        /// The transport delays the request if necessary.
        case byTransport
        /// The request is not sent again, since the server refuses all requests.
        case never
    }

    /// The error of the transport, if any.
    public let cause: (any Error)?
    package let pace: Pace

    /// Creates an error.
    public init(cause: (any Error)? = nil) { self.init(cause: cause, pace: .bySession) }

    package init(cause: (any Error)?, pace: Pace) { (self.cause, self.pace) = (cause, pace) }

    /// The description, if it has a cause.
    package var reason: String? { cause == nil ? nil : description }

    /// A sentence with the cause, if there is one.
    public var errorDescription: String? { masked(sentence) }

    private var sentence: String {
        "The server has not processed the request" + (cause.map { ": \($0)" } ?? ".")
    }
}

extension URLError {
    /// Whether the server has not processed the request, so that it can be sent again with any method.
    ///
    /// A session sends the request again automatically, several times if necessary, and throws the error if that is not possible
    /// or does not succeed. The property is also false if the transport cannot detect this.
    public var isRequestUnprocessed: Bool { userInfo[NSUnderlyingErrorKey] is RequestNotProcessedError }
}
