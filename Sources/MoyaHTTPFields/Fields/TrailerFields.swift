import HTTPTypes

extension HTTPField.Name {
    /// Whether a field may be in trailers (RFC 9110, section 6.5.1).
    ///
    /// Trailers must not have a field that is needed before the body, or that decides how the message is handled: a recipient that
    /// checks only the head would miss the field.
    package var isAllowedInTrailers: Bool { !Self.notInTrailers.contains(canonicalName) }

    private static let notInTrailers: Set<String> = [
        // Framing and the connection (RFC 9112, sections 6 and 9.6).
        "connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade",
        // Routing.
        "forwarded", "host", "via",
        // Request modifiers (RFC 9110, sections 10.1 and 13.1).
        "expect", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "max-forwards",
        "pragma", "range",
        // Authentication and cookies (RFC 9110, section 11; RFC 6265). RFC 7615 allows Authentication-Info.
        "authorization", "cookie", "proxy-authenticate", "proxy-authorization", "set-cookie", "www-authenticate",
        // Response control data (RFC 9110, section 10.2; RFC 9111, section 5).
        "age", "cache-control", "date", "expires", "location", "retry-after", "vary", "warning",
        // The processing of the content (RFC 9110, section 8).
        "content-encoding", "content-range", "content-type",
    ]
}

extension HTTPFields {
    /// The fields without those that may not be in trailers.
    package var allowedInTrailers: HTTPFields { HTTPFields(filter(\.name.isAllowedInTrailers)) }
}
