@testable import MoyaHTTP

extension HTTPTransport {
    /// Sends a request as a session does: with resends where they are safe, and with decoding.
    func sendAsSession(
        _ request: TransportRequest,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> TransportResponse {
        let stages: [any ExchangeStage] = [
            ResendStage(clock: clock), ContentDecodingStage(),
        ]
        let send = stages.handler(endingWith: .last { request, _ in try await self.send(request) })
        return try await send(request, RequestContext(session: .default))
    }
}
