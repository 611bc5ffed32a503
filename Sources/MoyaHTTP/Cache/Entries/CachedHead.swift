import HTTPTypes

/// The head of a stored response, with the values that decide whether it may be used.
public struct CachedHead: Equatable, Sendable {
    /// The status code.
    public var status: Int
    /// The fields, without those that belong to a connection (RFC 9111, section 3.1).
    public var headers: HTTPFields
    /// The fields of the request that the response's `Vary` names, with names in lowercase and normalized values; `nil` for a field
    /// that the request did not have (RFC 9111, section 4.1).
    ///
    /// A value that is not valid UTF-8 consists of a NUL and the bytes as ISO 8859-1.
    public var selectingFields: [String: String?]
    /// A fingerprint of the credentials that the request was sent with, and of the `Host` that its caller had set; `nil` for
    /// neither.
    ///
    /// A response is never used for a request with other credentials or another `Host`.
    public var credentials: String?
    /// The time at which the request was sent, in seconds since 1970.
    public var requestTime: Double
    /// The time at which the response's head arrived, in seconds since 1970.
    public var responseTime: Double
    /// Whether the body is without the content codings that `Content-Encoding` names.
    public var isDecoded: Bool
    /// The position of the stored body in the whole body; `nil` if the whole body is stored (RFC 9111, section 3.3).
    public var part: Part?

    /// A part of a body.
    public struct Part: Equatable, Sendable {
        /// The position of the first byte.
        public var start: Int64
        /// The length of the whole body, if it is known.
        public var completeLength: Int64?

        /// Creates a part.
        public init(start: Int64, completeLength: Int64?) {
            self.start = start
            self.completeLength = completeLength
        }
    }

    /// Creates a head.
    public init(
        status: Int,
        headers: HTTPFields = [:],
        selectingFields: [String: String?] = [:],
        credentials: String? = nil,
        requestTime: Double,
        responseTime: Double,
        isDecoded: Bool = true,
        part: Part? = nil
    ) {
        self.status = status
        self.headers = headers
        self.selectingFields = selectingFields
        self.credentials = credentials
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.isDecoded = isDecoded
        self.part = part
    }
}
