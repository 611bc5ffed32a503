#if NIO && !canImport(Darwin)
/// A stream until its end is received and, if it is upgraded, its output has ended: its windows, and the state of its response.
struct HTTP2OpenStream {
    var response: HTTP2ResponseStateMachine
    /// The number of bytes that may be sent; it may be negative (RFC 9113, section 6.9.2).
    private(set) var sendWindow: Int
    private(set) var receiveWindow = HTTP2Limits.streamWindow
    /// The number of taken bytes by which the receive window has not been enlarged yet.
    private var taken = 0
    var isRequestWritten: Bool

    init(response: HTTP2ResponseStateMachine, sendWindow: Int, isRequestWritten: Bool) {
        self.response = response
        self.sendWindow = sendWindow
        self.isRequestWritten = isRequestWritten
    }

    /// Counts received bytes.
    mutating func countReceived(_ count: Int) throws(HTTP2Error) {
        guard count <= receiveWindow else {
            throw .stream(.flowControlError, "The server has sent more than the stream's window allows.")
        }
        receiveWindow -= count
    }

    /// Counts bytes that the exchange of the stream has taken.
    ///
    /// - Returns: The number of bytes by which the receive window is enlarged, when half of it is taken; `nil` before.
    mutating func countTaken(_ count: Int) -> Int? {
        taken += count
        guard taken >= HTTP2Limits.streamWindow / 2 else { return nil }
        defer { taken = 0 }
        receiveWindow += taken
        return taken
    }

    /// Counts the bytes of a DATA frame that is sent.
    mutating func countSent(_ count: Int) { sendWindow -= count }

    /// Enlarges the send window.
    mutating func enlarge(by increment: UInt32) throws(HTTP2Error) {
        guard increment > 0 else { throw .stream(.protocolError, "A window is enlarged by 0.") }
        sendWindow += Int(increment)
        guard sendWindow <= HTTP2ConnectionWindows.maximum else {
            throw .stream(.flowControlError, "The stream's window is larger than allowed.")
        }
    }

    /// Changes the send window with the initial window of the server's settings (RFC 9113, section 6.9.2).
    mutating func changeInitialWindow(by difference: Int) throws(HTTP2Error) {
        sendWindow += difference
        guard sendWindow <= HTTP2ConnectionWindows.maximum else {
            throw .connection(.flowControlError, "The initial window makes a stream's window too large.")
        }
    }
}
#endif
