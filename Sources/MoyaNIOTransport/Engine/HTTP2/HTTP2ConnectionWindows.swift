#if NIO && !canImport(Darwin)
/// The windows of a connection (RFC 9113, section 6.9), and the limits on frames that depend on them.
struct HTTP2ConnectionWindows {
    private(set) var sendWindow = HTTP2SendWindow(of: .connection)
    private var receiveWindow = HTTP2Limits.connectionWindow
    /// The remaining number of bytes of DATA that may be received for closed streams.
    private var remainingLateData = HTTP2Limits.extraLateData
    /// The remaining number of frames without data that may be received for streams that were reset.
    private var remainingLateFrames = 0
    /// The number of WINDOW_UPDATE frames that the sent data allows, and that have not been received.
    private var allowedUpdates = 0

    /// Counts received bytes.
    ///
    /// - Returns: The number of bytes by which the window is enlarged, when half of it is used; `nil` before.
    mutating func countReceived(_ count: Int) throws(HTTP2Error) -> Int? {
        guard count <= receiveWindow else {
            throw .connection(.flowControlError, "The server has sent more than the connection's window allows.")
        }
        receiveWindow -= count
        guard receiveWindow <= HTTP2Limits.connectionWindow / 2 else { return nil }
        defer { receiveWindow = HTTP2Limits.connectionWindow }
        return HTTP2Limits.connectionWindow - receiveWindow
    }

    /// Allows for frames that are in transit on a stream that is reset: data up to its window, for all such streams together at most
    /// twice the connection's window, and ``HTTP2Limits/maximumLateFrames`` without data, together at most
    /// ``HTTP2Limits/maximumFramesWithoutEffect``.
    mutating func expectLateFrames(dataUpTo window: Int) {
        remainingLateData = min(remainingLateData + window, 2 * HTTP2Limits.connectionWindow)
        remainingLateFrames = min(
            remainingLateFrames + HTTP2Limits.maximumLateFrames,
            HTTP2Limits.maximumFramesWithoutEffect
        )
    }

    /// Takes one of the frames without data that streams that were reset allow; returns whether there is one.
    mutating func takeLateFrame() -> Bool {
        guard remainingLateFrames > 0 else { return false }
        remainingLateFrames -= 1
        return true
    }

    /// Counts bytes that are received for closed streams.
    mutating func countLateData(_ count: Int) throws(HTTP2Error) {
        remainingLateData -= count
        guard remainingLateData >= 0 else {
            throw .connection(.streamClosed, "The server continues to send on closed streams.")
        }
    }

    /// Counts the bytes of a DATA frame that is sent.
    mutating func countSent(_ count: Int) {
        sendWindow.countSent(count)
        allowedUpdates += HTTP2Limits.windowUpdates(afterSending: count)
    }

    /// Takes one of the WINDOW_UPDATE frames that the sent data allows; returns whether there is one.
    mutating func takeAllowedUpdate() -> Bool {
        guard allowedUpdates > 0 else { return false }
        allowedUpdates -= 1
        return true
    }

    /// Enlarges the send window by a WINDOW_UPDATE of the server.
    mutating func enlarge(by increment: UInt32) throws(HTTP2Error) { try sendWindow.enlarge(by: increment) }
}
#endif
