import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension String {
    /// The text with all but the unreserved characters (RFC 3986, section 2.3), `/` and `?` percent-encoded in UTF-8.
    package var percentEncodedForQuery: String {
        if utf8.allSatisfy(\.isPlainInQuery) { return self }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + 16)
        for byte in utf8 {
            if byte.isPlainInQuery {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(Self.hexDigits[Int(byte >> 4)])
                bytes.append(Self.hexDigits[Int(byte & 0xF)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
    fileprivate var isPlainInQuery: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: "?"):
            true
        default:
            false
        }
    }
}

extension URL {
    /// The URL with an already escaped query after the one it has, and its fragment kept at the end.
    func appendingQuery(_ query: String) -> URL? {
        guard !query.isEmpty else { return self }
        let text = absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let base = text[..<end]
        let separator =
            switch base.firstIndex(of: "?") {
            case nil: "?"
            case let mark? where base.index(after: mark) == base.endIndex: ""
            case _?: "&"
            }
        return URL(string: base + separator + query + text[end...])
    }
}

extension URLRequest {
    /// Sets the content type, unless the request has one.
    package mutating func setContentTypeIfAbsent(_ type: String) {
        if value(forHTTPHeaderField: "Content-Type") == nil { setValue(type, forHTTPHeaderField: "Content-Type") }
    }
}
