extension HTTPHeader {
    /// `Accept-Charset` (RFC 9110, section 12.5.2). Servers no longer look at it.
    public static func acceptCharset(_ value: String) -> HTTPHeader { HTTPHeader(name: "Accept-Charset", value: value) }
    /// `Content-Disposition` (RFC 6266).
    public static func contentDisposition(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Disposition", value: value)
    }
    /// `Content-Encoding` (RFC 9110, section 8.4). It only says so: what is compressed is the task's (`.gzipped`).
    public static func contentEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Encoding", value: value)
    }
}
