import Foundation

extension ScriptedResponse {
    /// Receives the body of a request as a server would, and responds or fails as the script says.
    ///
    /// - Parameters:
    ///   - request: The request, whose timeouts apply.
    ///   - clock: The clock for delays.
    ///   - draw: The random choice of this response, if any.
    ///   - openWebSocket: Opens a scripted WebSocket.
    /// - Returns: The response; `nil` if this is ``noMore``, or a random choice that is not ``resolved(number:part:)``.
    /// - Throws: ``ScriptedResponseError`` if the response is invalid; the `URLError` of a fault, a timeout or a cancellation;
    ///   `RequestBodyError` if the body cannot be read.
    func perform(
        for request: TransportRequest,
        clock: any Clock<Duration>,
        draw: ScriptedDraw?,
        openWebSocket: ([WebSocketStep], ProtocolUpgrade, HTTPFields) throws -> TransportResponse
    ) async throws -> TransportResponse? {
        let time = ScriptedTime(request, clock: clock, draw: draw)
        if !isBeforeConnection { try await request.receiveBody() }
        time.recordSent()
        try await time.wait(delay)
        switch content {
        case .response(let response):
            if let steps = response.webSocket {
                guard let upgrade = request.upgrade else { throw ScriptedResponseError(.noWebSocketRequest) }
                time.recordResponse()
                return try openWebSocket(steps, upgrade, response.headers)
            }
            return try await ScriptedResponseStream(response, to: request, time: time, draw: draw).transportResponse()
        case .fault(let kind):
            throw ScriptedFault(kind: kind, draw: draw).error(url: request.url)
        case .silence:
            try await time.waitForever()
        case .unusable(let error):
            throw error
        case .chance, .noMore:
            return nil
        }
    }
}
