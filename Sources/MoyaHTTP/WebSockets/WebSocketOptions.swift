/// The options of a WebSocket.
public struct WebSocketOptions: Hashable, Sendable {
    /// The subprotocols that are offered to the server, the preferred one first (RFC 6455, section 1.9).
    public var subprotocols: [String]
    /// The compression that is offered to the server; `nil` for none.
    public var compression: WebSocketCompression?
    /// The maximum size of a received message in bytes, after decompression.
    ///
    /// A larger message closes the WebSocket with the code 1009 and throws ``WebSocketError/messageTooLarge(limit:)``. The limit does not
    /// hold for a message that is read in parts (``WebSocket/messageStreams``).
    public var maximumMessageSize: Int
    /// The maximum size of the payload of a received frame in bytes.
    ///
    /// A larger frame closes the WebSocket with the code 1009 and throws ``WebSocketError/frameTooLarge(limit:)``.
    public var maximumFrameSize: Int
    /// The size of the payload in bytes from which a sent message has several frames.
    ///
    /// Pings and close frames are sent between the frames of a message.
    public var outgoingFrameSize: Int
    /// The number of bytes that wait in each direction.
    ///
    /// ``WebSocket/send(_:)-(WebSocketMessage)`` suspends while as many bytes wait to be sent, and nothing is read from the server while as
    /// many bytes wait to be read by the application. A received frame, or a part of one, counts for 64 bytes more than its payload. With
    /// 0, parts are read one by one.
    public var bufferSize: Int
    /// The pings that keep the connection alive, and that detect a lost connection; `nil` for none.
    public var keepAlive: WebSocketKeepAlive?
    /// The time that the server has to answer a close frame, and then to close the connection.
    public var closeTimeout: Duration

    /// Creates options.
    public init(
        subprotocols: [String] = [],
        compression: WebSocketCompression? = WebSocketCompression(),
        maximumMessageSize: Int = 16 * 1024 * 1024,
        maximumFrameSize: Int = .max,
        outgoingFrameSize: Int = 1024 * 1024,
        bufferSize: Int = 64 * 1024,
        keepAlive: WebSocketKeepAlive? = WebSocketKeepAlive(),
        closeTimeout: Duration = .seconds(5)
    ) {
        self.subprotocols = subprotocols
        self.compression = compression
        self.maximumMessageSize = maximumMessageSize
        self.maximumFrameSize = maximumFrameSize
        self.outgoingFrameSize = outgoingFrameSize
        self.bufferSize = bufferSize
        self.keepAlive = keepAlive
        self.closeTimeout = closeTimeout
    }
}

/// The pings that keep a WebSocket alive.
public struct WebSocketKeepAlive: Hashable, Sendable {
    /// The time without any bytes of the server after which a ping is sent.
    public var interval: Duration
    /// The time after the ping in which bytes of the server must arrive.
    ///
    /// Otherwise, the WebSocket ends with ``WebSocketError/peerIsSilent(timeout:)``.
    public var timeout: Duration

    /// Creates settings.
    public init(interval: Duration = .seconds(30), timeout: Duration = .seconds(30)) {
        (self.interval, self.timeout) = (interval, timeout)
    }
}
