import HTTPTypes

/// The rest of a response's body, which can be requested if the body breaks off.
final class RestOfBody: Sendable {
    /// The request that the response belongs to.
    let request: TransportRequest
    /// Sends the request again, with these fields in place of its fields.
    let send: @Sendable (HTTPFields) async throws -> TransportResponse

    init(request: TransportRequest, send: @escaping @Sendable (HTTPFields) async throws -> TransportResponse) {
        self.request = request
        self.send = send
    }
}
