import HTTPTypes

// Names of fields that HTTPTypes does not offer.
extension HTTPField.Name {
    package static let hostField = HTTPField.Name("Host")!
    /// `Pragma`, with the `no-cache` directive of HTTP/1.0 (RFC 9111, section 5.4).
    package static let pragma = HTTPField.Name("Pragma")!
}
