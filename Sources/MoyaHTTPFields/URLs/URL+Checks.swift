import Foundation

extension URL {
    /// Whether the port is missing or valid (RFC 9293, section 3.1).
    package var hasValidPort: Bool {
        guard let port else { return !hasPortText }
        return (1...65_535).contains(port)
    }

    /// Whether the URL begins with `http://` or `https://`, a host that consists only of letters, digits, hyphens and dots, and
    /// optionally a valid port.
    ///
    /// Almost all URLs have this form. Its check avoids Foundation's components, which take thousands of instructions.
    package var isPlainHTTP: Bool {
        var text = absoluteString
        return text.withUTF8 { PlainAuthority($0) != nil }
    }

    /// The description of a URL with an invalid port.
    package static let invalidPortText = "The URL's port is not in 1...65535."

    /// Whether the URL has a text in the place of the port.
    ///
    /// Foundation returns no port if the text has too many digits.
    private var hasPortText: Bool {
        guard let slashes = absoluteString.range(of: "://") else { return false }
        let authority = absoluteString[slashes.upperBound...].utf8.prefix { !"/?#".utf8.contains($0) }
        let hostAndPort = authority.split(separator: UInt8(ascii: "@")).last ?? authority
        let end = hostAndPort.lastIndex(of: UInt8(ascii: "]")) ?? hostAndPort.startIndex
        guard let colon = hostAndPort[end...].lastIndex(of: UInt8(ascii: ":")) else { return false }
        return hostAndPort.index(after: colon) != hostAndPort.endIndex
    }

    /// The URL without user name and password, which must not be in error texts or be sent.
    ///
    /// The text is examined instead of Foundation's components: if the slashes of `http://` are wrong, Foundation
    /// regards the password as part of the path.
    package var withoutCredentials: URL {
        let text = absoluteString
        // This check is fast, and almost all URLs have no credentials.
        guard text.utf8.contains(UInt8(ascii: "@")) else { return self }
        let afterScheme: String.Index
        if let scheme {
            afterScheme = text.index(text.startIndex, offsetBy: scheme.count + 1)
        } else if text.hasPrefix("//") {
            afterScheme = text.startIndex
        } else {
            return self
        }
        let rest = text[afterScheme...].drop { $0 == "/" }
        // The authority ends before path, query or fragment (RFC 3986, section 3.2).
        guard let at = rest.prefix(while: { !"/?#".contains($0) }).lastIndex(of: "@") else { return self }
        return URL(string: "\(text[..<rest.startIndex])\(rest[rest.index(after: at)...])") ?? self
    }
}

/// The scheme, host and port of a URL in the usual form, found in its bytes: see ``Foundation/URL/isPlainHTTP``.
package struct PlainAuthority {
    /// Whether the scheme is `https`.
    let isSecure: Bool
    /// The positions of the host.
    let host: Range<Int>
    /// Whether the host contains a capital letter.
    let hasCapital: Bool
    /// The port; `nil` if it is missing.
    let port: Int?
    /// The position after the host and the port.
    package let end: Int

    /// Reads the beginning of a URL; `nil` if it has any other form.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        isSecure = bytes.begins(with: "https://")
        guard isSecure || bytes.begins(with: "http://") else { return nil }
        let start = isSecure ? 8 : 7
        var index = start
        var hasCapital = false
        while index < bytes.count, bytes[index].isHostByte {
            // Of the bytes of a host, only capital letters have this bit and not the next one.
            if bytes[index] & 0x60 == 0x40 { hasCapital = true }
            index += 1
        }
        guard index > start else { return nil }
        host = start..<index
        self.hasCapital = hasCapital
        if index < bytes.count, bytes[index] == UInt8(ascii: ":") {
            let first = index + 1
            var port = 0
            index = first
            while index < bytes.count, bytes[index].isDigit, port <= 65_535 {
                port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
                index += 1
            }
            guard index > first, (1...65_535).contains(port) else { return nil }
            self.port = port
        } else {
            port = nil
        }
        end = index
        guard index == bytes.count || bytes[index] == UInt8(ascii: "/") || bytes[index] == UInt8(ascii: "?") else {
            return nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    // The function replaces `starts(with:)` of a string's UTF-8, which takes ten times its time.
    fileprivate func begins(with prefix: StaticString) -> Bool {
        guard count >= prefix.utf8CodeUnitCount else { return false }
        for index in 0..<prefix.utf8CodeUnitCount where self[index] != prefix.utf8Start[index] { return false }
        return true
    }
}

extension UInt8 {
    /// Whether the byte may be part of a host name or an IPv4 address.
    fileprivate var isHostByte: Bool { isAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") }
}

extension URL {
    /// The request target in absolute form: the URL without the fragment, user name and password (RFC 9112, section
    /// 3.2.2), and the zone of an IPv6 address (RFC 6874, section 4).
    package var absoluteTarget: String {
        var text = withoutCredentials.absoluteString.prefix { $0 != "#" }
        if let start = text.range(of: "://[")?.upperBound, let end = text[start...].firstIndex(of: "]"),
            let zone = text[start..<end].firstIndex(of: "%")
        {
            text.removeSubrange(zone..<end)
        }
        guard let authority = text.range(of: "://")?.upperBound,
            let end = text[authority...].firstIndex(where: { $0 == "/" || $0 == "?" })
        else { return "\(text)/" }
        return text[end] == "/" ? String(text) : "\(text[..<end])/\(text[end...])"
    }

    /// The request target: path and query as in the request line, without the fragment (RFC 9112, section 3.2.1).
    package var requestTarget: String {
        var text = absoluteString
        return text.withUTF8 { bytes in
            var start = 0
            if let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
                UnsafeBufferPointer(rebasing: bytes[colon...]).begins(with: "://")
            {
                start = colon + 3
            }
            let isEnd = { (byte: UInt8) in
                byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            }
            guard let path = bytes[start...].firstIndex(where: isEnd) else { return "/" }
            let end = bytes[path...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
            let target = String(decoding: bytes[path..<end], as: UTF8.self)
            return bytes[path] == UInt8(ascii: "/") ? target : "/\(target)"
        }
    }
}
