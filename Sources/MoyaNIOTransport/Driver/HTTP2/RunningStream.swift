#if NIO && !canImport(Darwin)
import HTTPTypes
import NIOCore

extension HTTP2Connection {
    /// A stream until its end: its exchange, the unsent part of the request, and the undelivered part of the
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
        /// The number of frames of the request that have not been sent, of those whose sending is tracked.
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
#endif
