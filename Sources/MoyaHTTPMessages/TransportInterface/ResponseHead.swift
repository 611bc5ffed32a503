import HTTPTypes

/// The head of a response.
package struct ResponseHead: Equatable, Sendable {
    package var status: Int
    package var fields: ResponseFields
    /// The facts that are in none of the fields, if the transport knows any.
    package var info: ResponseInfo?
    /// ``TransportResponse/isConnectionReusable``.
    package var isConnectionReusable = true
    /// ``TransportResponse/isUpgraded``.
    package var isUpgraded = false

    /// The fields, which are created from the received bytes when they are first read.
    package var headers: HTTPFields { fields.fields }

    /// Creates a head.
    package init(status: Int, headers: HTTPFields) { self.init(status: status, fields: ResponseFields(headers)) }

    /// Creates a head with fields that may not have been read.
    package init(status: Int, fields: ResponseFields) {
        self.status = status
        self.fields = fields
    }
}
