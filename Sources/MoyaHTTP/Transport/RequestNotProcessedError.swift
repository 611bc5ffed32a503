import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that the server has not processed: it refused the stream, or closed the connection and said that it had not
/// come to this request (RFC 9113, sections 6.8 and 8.7). Sending it again is safe, whatever its method.
///
/// It is found under `NSUnderlyingErrorKey` of a `URLError.networkConnectionLost`, and by ``Foundation/URLError/isRequestUnprocessed``.
public struct RequestNotProcessedError: Error, Sendable, CustomStringConvertible {
    /// What the transport reported, if there is more to say.
    public let cause: (any Error)?

    /// Creates an error.
    public init(cause: (any Error)? = nil) { self.cause = cause }

    /// What has happened.
    public var description: String {
        "The server has not processed the request" + (cause.map { ": \($0)" } ?? ".")
    }
}

extension URLError {
    /// Whether the server has not processed the request, so that it can be sent again whatever its method.
    ///
    /// A session does so by itself, many times if need be; an error that says so is left where that was not possible, or to
    /// no avail. False also where the transport can't tell.
    public var isRequestUnprocessed: Bool { userInfo[NSUnderlyingErrorKey] is RequestNotProcessedError }

    /// Whether the connection was lost after it had been used before, so that the server may have closed it in the moment it was
    /// used again.
    var isFromReusedConnection: Bool {
        #if AsyncHTTPClient && !canImport(Darwin)
            switch userInfo[NSUnderlyingErrorKey] {
            case let error as ConnectionClosed: return error.isReused
            // AsyncHTTPClient does not tell whether the connection had been used.
            case let error as any Error:
                return error.isEndOfConnection || URLError.isClosedConnection(clientError: error)
            default: break
            }
        #endif
        return false
    }
}
