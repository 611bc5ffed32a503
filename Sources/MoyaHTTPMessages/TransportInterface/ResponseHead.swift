import HTTPTypes

/// The head of a response.
package struct ResponseHead: Equatable, Sendable {
    package var status: Int
    package var headers: HTTPFields
    /// The facts that are in none of the fields, if the transport knows any.
    package var info: ResponseInfo?
    /// ``TransportResponse/isConnectionReusable``.
    package var isConnectionReusable = true

    /// Creates a head.
    package init(status: Int, headers: HTTPFields) {
        self.status = status
        self.headers = headers
    }
}
