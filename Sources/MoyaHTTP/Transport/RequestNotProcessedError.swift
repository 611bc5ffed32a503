import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An error for a request that the server has not processed, so that sending it again is safe for any method.
///
/// The server refused the stream, or closed the connection and reported that it had not processed this request (RFC
/// 9113, sections 6.8 and 8.7). The error is the `NSUnderlyingErrorKey` of a `URLError.networkConnectionLost`; see
/// `URLError.isRequestUnprocessed`.
public struct RequestNotProcessedError: Error, Sendable, CustomStringConvertible {
    /// The error of the transport, if any.
    public let cause: (any Error)?

    /// Creates an error.
    public init(cause: (any Error)? = nil) { self.cause = cause }

    /// A description of the error.
    public var description: String {
        "The server has not processed the request" + (cause.map { ": \($0)" } ?? ".")
    }
}

extension URLError {
    /// Whether the server has not processed the request, so that it can be sent again with any method.
    ///
    /// A session sends it again automatically, several times if necessary. The error is thrown if that was not
    /// possible or did not succeed. It is also false if the transport cannot detect it.
    public var isRequestUnprocessed: Bool { userInfo[NSUnderlyingErrorKey] is RequestNotProcessedError }
}

/// The error of a connection that was lost before the response began.
package protocol ConnectionLoss: Error {
    /// Whether the connection had, or may have, been used before.
    var isFromReusedConnection: Bool { get }
}
