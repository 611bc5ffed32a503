import Foundation
import HTTPTypes

/// The target of a redirect: the `Location` header (RFC 9110, section 10.2.2).
///
/// Servers send what browsers accept, so characters that are not allowed in a URL are percent-encoded. An ambiguous
/// host is invalid: one with a backslash, a percent sign or a space, a port of more than 16 bits, or no host.
enum RedirectLocation {
    /// Returns the absolute URL, or nil if there is no valid one.
    ///
    /// - Parameters:
    ///   - headers: The headers of the response. Several different values, or an empty value, are invalid, as in
    ///     browsers.
    ///   - base: The URL against which a relative reference is resolved, and whose fragment is inherited.
    /// - Returns: The absolute URL.
    static func url(in headers: HTTPFields, base: URL) -> URL? {
        let values = Set(
            headers[values: .location].map { $0.withoutOptionalWhitespace }
        )
        guard let value = values.first, values.count == 1, !value.isEmpty else { return nil }

        let base = URLReference(base.withoutCredentials.absoluteString)
        var target = URLReference(value)
        if let scheme = target.scheme, !isHTTP(scheme) {
            target.authority = target.authority.map {
                encoded(String($0.split(separator: "@").last ?? ""), also: ":[]")
            }
        } else if let authority = target.authority {
            guard let authority = checked(authority) else { return nil }
            target.authority = authority
        } else if target.scheme != nil {
            return nil
        }
        target.path = encoded(target.path, also: ":@/")
        target.query = target.query.map { encoded($0, also: ":@/?") }
        target.fragment = target.fragment.map { encoded($0, also: ":@/?") }

        var url = target.resolved(against: base)
        url.fragment = url.fragment ?? base.fragment
        return URL(string: url.text)
    }

    private static func isHTTP(_ scheme: String) -> Bool { ["http", "https"].contains(scheme.lowercased()) }

    /// Returns host and port without user information; nil if they are invalid (RFC 3986, section 3.2).
    private static func checked(_ authority: String) -> String? {
        let authority = authority.unicodeScalars
        // A backslash ends the host in browsers, but is part of the user name elsewhere.
        guard !authority.contains("\\") else { return nil }
        let start = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
        let hostEnd = authority[start...].lastIndex(of: "]").map { authority.index(after: $0) }
        let colon = authority[(hostEnd ?? start)...].firstIndex(of: ":") ?? authority.endIndex
        guard hostEnd ?? colon == colon, let host = checked(host: String(authority[start..<colon])) else { return nil }

        let digits = String(authority[colon...].dropFirst())
        guard !digits.isEmpty else { return host }
        guard digits.utf8.allSatisfy(\.isDigit), let port = UInt16(digits) else { return nil }
        return "\(host):\(port)"
    }

    private static func checked(host: String) -> String? {
        if host.utf8.first == UInt8(ascii: "[") {
            let address = host.dropFirst().dropLast()
            guard address.contains(":"), address.utf8.allSatisfy({ $0.isHexDigit || ":.".utf8.contains($0) }) else {
                return nil
            }
            return host
        }
        // International names are converted to ASCII, if Foundation can do that.
        let name = host.utf8.allSatisfy { $0 < 0x80 } ? host : URL(string: "http://\(host)/")?.host ?? ""
        return !name.isEmpty && name.utf8.allSatisfy({ $0.isUnreserved || $0.isSubDelimiter }) ? name : nil
    }

    /// Percent-encodes all bytes except those that are allowed in any part of a URL, and those of `also`.
    ///
    /// Existing escapes are kept.
    static func encoded(_ text: String, also: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                byte == UInt8(ascii: "%") && index + 2 < bytes.count && bytes[index + 1].isHexDigit
                && bytes[index + 2].isHexDigit
            if isEscape || byte.isUnreserved || byte.isSubDelimiter || also.utf8.contains(byte) {
                result.append(byte)
            } else {
                result.appendPercentEncoded(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether the byte is unreserved (RFC 3986, section 2.3).
    fileprivate var isUnreserved: Bool { isAlphanumeric || "-._~".utf8.contains(self) }
    /// Whether the byte is a sub-delimiter (RFC 3986, section 2.2).
    fileprivate var isSubDelimiter: Bool { "!$&'()*+,;=".utf8.contains(self) }
}
