extension String {
    /// Whether the text is a `b64token` (RFC 6750, section 2.1), and thus a safe header value.
    var isBearerToken: Bool {
        let core = utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        return !core.isEmpty
            && core.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default:
                    "-._~+/".utf8.contains(byte)
                }
            }
    }
}
