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
        /// The upload of a streamed body, until the body has been read completely.
        var upload: BodyUpload?
        /// The pieces of the body that have been read and not written; each has a function to call when it has been sent.
        var pieces = CircularBuffer<(bytes: ByteBuffer, onSent: @Sendable () -> Void)>()
        /// The number of frames of the body that have not been sent.
        var unsentFrames = 0
        /// The trailers, once the body has been read completely.
        var trailers = HTTPFields()
        /// The time of the last bytes of a frame of this stream, which restart the idle time of its exchange.
        var lastReceived: NIODeadline?
        var delivery = ResponseDelivery()

        var exchange: Exchange { request.exchange }
        /// Whether `pieces` contains the rest of the body.
        var isBodyComplete: Bool { upload == nil }

        init(_ id: HTTP2Frame.StreamID, _ request: OutboundRequest, isReused: Bool) {
            self.id = id
            self.request = request
            self.isReused = isReused
        }
    }
}
#endif
