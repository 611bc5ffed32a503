import HTTPTypes

/// The rest of a response's body, which can be requested if the body breaks off.
package final class RestOfBody: Sendable {
    /// The request that the response belongs to.
    package let request: TransportRequest
    /// Sends the request again, with these fields in place of its fields.
    package let send: @Sendable (HTTPFields) async throws -> TransportResponse

    package init(request: TransportRequest, send: @escaping @Sendable (HTTPFields) async throws -> TransportResponse) {
        self.request = request
        self.send = send
    }
}
