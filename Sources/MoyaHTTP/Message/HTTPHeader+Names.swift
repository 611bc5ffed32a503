extension HTTPHeader {
    /// Creates an `Accept-Charset` header (RFC 9110, section 12.5.2).
    ///
    /// Modern servers ignore it.
    public static func acceptCharset(_ value: String) -> HTTPHeader { HTTPHeader(name: "Accept-Charset", value: value) }
    /// Creates a `Content-Disposition` header (RFC 6266).
    public static func contentDisposition(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Disposition", value: value)
    }
    /// Creates a `Content-Encoding` header (RFC 9110, section 8.4).
    ///
    /// It does not compress the body; use the task `.gzipped`.
    public static func contentEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Encoding", value: value)
    }
}
