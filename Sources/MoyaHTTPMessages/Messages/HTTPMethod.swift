/// An HTTP request method (RFC 9110, section 9).
///
/// There are constants for the registered methods; other methods are created with ``init(rawValue:)``. A raw value
/// that is not a token (RFC 9110, section 5.6.2) is rejected with ``RequestValidationError/invalidMethod(_:)`` when
/// the request is sent.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// `CONNECT`, RFC 9110 section 9.3.6.
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    /// `DELETE`, RFC 9110 section 9.3.5.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// `GET`, RFC 9110 section 9.3.1.
    public static let get = HTTPMethod(rawValue: "GET")
    /// `HEAD`, RFC 9110 section 9.3.2.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// `OPTIONS`, RFC 9110 section 9.3.7.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// `PATCH`, RFC 5789.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// `POST`, RFC 9110 section 9.3.3.
    public static let post = HTTPMethod(rawValue: "POST")
    /// `PUT`, RFC 9110 section 9.3.4.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// `QUERY`, draft-ietf-httpbis-safe-method-w-body.
    public static let query = HTTPMethod(rawValue: "QUERY")
    /// `TRACE`, RFC 9110 section 9.3.8.
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// The method as in the request line.
    ///
    /// Methods are case-sensitive.
    public let rawValue: String

    /// Creates a method from its text in the request line.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The raw value.
    public var description: String { rawValue }

    /// Whether the method is safe: a request only retrieves a response (RFC 9110, section 9.2.1), so the library may send it on its
    /// own initiative.
    package var isSafe: Bool { [.get, .head, .options, .trace, .query].contains(self) }

    /// Whether several identical requests have the same effect as one (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }
}
