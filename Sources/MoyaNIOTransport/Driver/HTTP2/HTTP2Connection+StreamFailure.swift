#if NIO && !canImport(Darwin)
extension HTTP2Connection {
    /// The reason why a stream ends while its connection stays open.
    enum StreamEndCause {
        /// The response is complete.
        case completed(trailers: HTTPFields)
        /// The exchange is over.
        case stopped
        /// The request has failed.
        case failed(StreamFailure)
    }

    /// The reason why the request on a stream fails.
    enum StreamFailure {
        /// The server has reset the stream, or the client has, because of an invalid frame.
        case reset(HTTP2Error)
        /// The trailers of the request cannot be sent.
        case trailersNotSent(HTTP2RequestError)
        /// The server does not process the request, according to its GOAWAY.
        case unprocessed(HTTP2Error)
        /// The server requires HTTP/1.1 for an upgrade, which it has not processed.
        case upgradeNotAllowed
        /// The connection has ended.
        ///
        /// The first error is that of the layer that detected the end; `nil` for the regular end of a connection. The second one is
        /// that of the server's GOAWAY, if it had one.
        case connectionEnded((any Error)?, goAway: HTTP2Error?)

        /// Returns the error of the exchange.
        ///
        /// A request with a response has been processed, whatever the server reports.
        ///
        /// - Parameters:
        ///   - hasResponse: Whether the response has begun.
        ///   - isReused: Whether another exchange had completed on the connection before.
        /// - Returns: The error.
        func error(hasResponse: Bool, isReused: Bool) -> any Error {
            switch self {
            case .upgradeNotAllowed: return UpgradeNotAllowed()
            case .trailersNotSent(let error):
                return error
            case .reset(let error):
                return error.isRefusal && !hasResponse ? RequestNotProcessedError(cause: error) : error
            case .connectionEnded(let error, let goAway?) where error?.isEndOfConnection ?? true:
                if hasResponse { return ResponseTruncated(cause: goAway) }
                // The server may have processed the request (RFC 9113, section 6.8). An idempotent one is sent again over HTTP/1.1.
                return ConnectionClosed(allowsResend: isReused || goAway.isHTTP1Required, cause: goAway)
            case .connectionEnded(let error, _):
                return connectionLost(error, hasResponse: hasResponse, isReused: isReused)
            case .unprocessed(let error):
                return hasResponse
                    ? ResponseTruncated(cause: error) : RequestNotProcessedError(cause: error, pace: .byTransport)
            }
        }
    }
}
#endif
