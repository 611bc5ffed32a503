@testable import MoyaHTTP

extension HTTPTransport {
    /// Sends a request as a session does, which sends it again where that is safe.
    func sendAsSession(_ request: TransportRequest) async throws -> TransportResponse {
        var resending = Resending(request)
        return try await resending.send(through: self)
    }
}
