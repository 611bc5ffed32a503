import Foundation
import HTTPTypes

/// Where a response sends the client: its header `Location` (RFC 9110, section 10.2.2). Pure.
///
/// Servers write what browsers understand, so what does not belong in a URL is percent-encoded. Where the host is in doubt
/// there is no location: a backslash, a percent sign or a space in it, a port of more than 16 bits, no host at all.
enum RedirectLocation {
    /// The absolute URL, or nil if there is none that can be understood.
    ///
    /// - Parameters:
    ///   - headers: Those of the response. Several values that differ are none; an empty value is none, as in browsers.
    ///   - base: What a relative reference is resolved against, and whose fragment is inherited.
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

    /// Host and port, without user and password; nil if they are not what they should be (RFC 3986, section 3.2).
    private static func checked(_ authority: String) -> String? {
        let authority = authority.unicodeScalars
        // To browsers it ends the host, to others it is part of a user's name.
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
        // Names in other scripts become what name servers know, where Foundation can do that.
        let name = host.utf8.allSatisfy { $0 < 0x80 } ? host : URL(string: "http://\(host)/")?.host ?? ""
        return !name.isEmpty && name.utf8.allSatisfy({ $0.isUnreserved || $0.isSubDelimiter }) ? name : nil
    }

    /// The text with all bytes percent-encoded but those that any part of a URL may hold, and those of `also`. What is
    /// percent-encoded already stays.
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
    /// RFC 3986, section 2.3.
    fileprivate var isUnreserved: Bool { isAlphanumeric || "-._~".utf8.contains(self) }
    /// RFC 3986, section 2.2.
    fileprivate var isSubDelimiter: Bool { "!$&'()*+,;=".utf8.contains(self) }
}
