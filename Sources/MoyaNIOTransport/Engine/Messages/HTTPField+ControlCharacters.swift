import HTTPTypes

extension HTTPField {
    /// Creates a received field whose value has control characters other than CR, LF and NUL.
    ///
    /// Control characters are replaced by spaces (RFC 9110, section 5.5), except in fields where they determine whether the
    /// value is valid, and in `Location`, in which they are percent-encoded later.
    init(name: Name, valueWithControlCharacters bytes: UnsafeRawBufferPointer) {
        switch name {
        case .transferEncoding, .contentLength, .setCookie, .location: self.init(name: name, lenientValue: bytes)
        default: self.init(name: name, value: bytes)
        }
    }
}

extension UInt8 {
    /// Whether the byte is not allowed in any value of a field: CR, LF or NUL.
    var isForbiddenInFields: Bool { self == 0x0D || self == 0x0A || self == 0 }
}
