#if NIO && !canImport(Darwin)
/// A stream until its end is received and, if it is upgraded, its output has ended: its windows, and the state of its response.
struct HTTP2OpenStream {
    var response: HTTP2ResponseStateMachine
    var sendWindow: HTTP2SendWindow
    private(set) var receiveWindow = HTTP2Limits.streamWindow
    /// The number of taken bytes by which the receive window has not been enlarged yet.
    private var taken = 0
    var isRequestWritten: Bool

    init(response: HTTP2ResponseStateMachine, sendWindow: Int, isRequestWritten: Bool) {
        self.response = response
        self.sendWindow = HTTP2SendWindow(of: .stream, size: sendWindow)
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
}
#endif
