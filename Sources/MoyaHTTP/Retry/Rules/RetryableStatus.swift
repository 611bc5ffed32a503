/// The retryable status codes with the reasons.
///
/// All others are not retryable.
enum RetryableStatus {
    /// The reason for each retryable status code.
    static let reasons: [Int: String] = [
        408: "the server timed out waiting for the request, which may be repeated (RFC 9110, section 15.5.9)",
        425: "the server rejected early data, and a retry is not early data (RFC 8470, section 5.2)",
        429: "the client sent too many requests, and may retry later (RFC 6585, section 4)",
        500: "an unexpected error, which is often transient (RFC 9110, section 15.6.1)",
        502: "a gateway got an invalid response from the server behind it (RFC 9110, section 15.6.3)",
        503: "the server is temporarily overloaded or in maintenance (RFC 9110, section 15.6.4)",
        504: "a gateway got no response in time from the server behind it (RFC 9110, section 15.6.5)",
    ]

    /// The reasons why errors that may seem transient are not retryable.
    static let exceptions: [Int: String] = [
        409: "the caller must resolve the conflict (RFC 9110, section 15.5.10)",
        413: "the content is as large in the next attempt (RFC 9110, section 15.5.14)",
        421: "a retry is useful only on another connection, which cannot be requested (RFC 9110, section 15.5.20)",
        423: "a lock may be held for any time (RFC 4918, section 11.3)",
        501: "the server does not support the method (RFC 9110, section 15.6.2)",
        505: "the server does not support this version of HTTP (RFC 9110, section 15.6.6)",
        507: "the user must act before the request is repeated (RFC 4918, section 11.5)",
        508: "the loop is in the server's data (RFC 5842, section 7.2)",
        511: "the user must sign in to the network first (RFC 6585, section 6)",
    ]
}
