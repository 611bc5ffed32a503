#if NIO && !canImport(Darwin)
import HTTPTypes
import NIOCore

extension HTTP2Connection {
    /// A stream until its end is delivered: its exchange, the unsent part of the request, and the undelivered part of the
    /// response.
    final class RunningStream {
        let id: HTTP2Frame.StreamID
        let request: OutboundRequest
        /// Whether another exchange had completed on the connection before.
        let isReused: Bool
        /// The time at which the stream was opened.
        let sentAt: NIODeadline
        /// The upload of a streamed body, or of the output of an upgraded stream, until it has been read completely.
        var upload: BodyUpload?
        /// The pieces of the body that have been read and not written, each with its function `onSent`
        /// (``BodyReadAhead/Event/piece(_:onSent:)``).
        var pieces = CircularBuffer<(bytes: ByteBuffer, onSent: @Sendable () -> Void)>()
        /// The number of frames of the body that have not been sent.
        var unsentFrames = 0
        /// The trailers, once the body has been read completely.
        var trailers = HTTPFields()
        /// The time of the last bytes of a frame of this stream, which restart the idle time of its exchange.
        var lastReceived: NIODeadline?
        var delivery = ResponseDelivery()
        /// Whether the stream is upgraded to another protocol, whose output and input end independently.
        var isUpgraded = false
        /// Whether the server has ended its direction of an upgraded stream, whose output goes on.
        var isInputEnded = false

        var exchange: Exchange { request.exchange }
        /// Whether the request waits for the server to agree to an upgrade, before which it sends nothing.
        var isAwaitingUpgrade: Bool { request.message.upgrade != nil && !isUpgraded }
        /// Whether `pieces` contains the rest of the body.
        var isBodyComplete: Bool { upload == nil && !isAwaitingUpgrade }

        /// Records a frame of the server.
        func received(_ frame: HTTP2Frame, at time: NIODeadline) {
            lastReceived = time
            if let recorder = exchange.recorder { recorder.count(frame.headSize, in: .responseHead) }
        }

        init(_ id: HTTP2Frame.StreamID, _ request: OutboundRequest, isReused: Bool, sentAt: NIODeadline) {
            self.id = id
            self.request = request
            self.isReused = isReused
            self.sentAt = sentAt
        }
    }
}

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
#endif
