#if NIO && !canImport(Darwin)
    /// The reason why a stream ends, other than the end of its response and the end of its exchange.
    enum StreamEnd {
        /// The server has reset the stream, or has sent an invalid frame for it.
        case failed(HTTP2Error)
        /// The server does not process the request, according to its GOAWAY.
        case unprocessed(HTTP2Error)
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
        ///   - isReused: Whether the connection had carried another exchange before.
        /// - Returns: The error.
        func error(hasResponse: Bool, isReused: Bool) -> any Error {
            switch self {
            case .failed(let error):
                return error.isRefusal && !hasResponse ? RequestNotProcessedError(cause: error) : error
            case .connectionEnded(let error, let goAway?) where error?.isEndOfConnection ?? true:
                if hasResponse { return ResponseTruncated(cause: goAway) }
                // The server may have processed the request (RFC 9113, section 6.8). An idempotent one is sent again over HTTP/1.1.
                return ConnectionClosed(isReused: isReused || goAway.isHTTP1Required, cause: goAway)
            case .connectionEnded(let error, _):
                return connectionLost(error, hasResponse: hasResponse, isReused: isReused)
            case .unprocessed(let error):
                return hasResponse
                    ? ResponseTruncated(cause: error) : RequestNotProcessedError(cause: error, .byTransport)
            }
        }
    }
#endif
