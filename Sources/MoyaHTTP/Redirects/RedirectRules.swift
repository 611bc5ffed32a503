import Foundation
import HTTPTypes

/// The rules for following a redirect response (RFC 9110, section 15.4).
enum RedirectRules {
    /// Returns the next request, without the headers of a dropped body, or nil if the response is not a redirect to
    /// follow.
    ///
    /// 300 requires a choice by the user, 304 is for caches, 305 and 306 are obsolete (RFC 9110, sections 15.4.1
    /// and 15.4.5 to 15.4.7). A response without a valid ``RedirectLocation`` is not followed.
    static func next(after request: RedirectRequest, status: Int, headers: HTTPFields) -> RedirectRequest? {
        guard [301, 302, 303, 307, 308].contains(status),
            let url = RedirectLocation.url(in: headers, base: request.url)
        else { return nil }
        var next = request
        next.url = url
        switch status {
        case 301, 302:
            // Sections 15.4.2 and 15.4.3: only POST is changed to GET, as in browsers.
            if request.method == .post {
                next.method = .get
                next.removeBody()
            }
        case 303:
            // Section 15.4.4: the other resource is retrieved.
            if request.method != .head { next.method = .get }
            if request.hasBody || request.method != next.method { next.removeBody() }
        default:
            // Sections 15.4.8 and 15.4.9: method and body are kept.
            break
        }
        return next
    }

    /// Returns whether a response shows that the last URL of a GET is not valid any more, so that the GET must begin at its first
    /// URL again.
    ///
    /// - Parameters:
    ///   - status: The status of a response to a request for another part of a representation.
    ///   - isRedirected: Whether a redirect led to the URL. Services refuse a signed URL that has expired with 400, 401, 403,
    ///     404 or 410.
    /// - Returns: Whether the URL is not valid any more.
    static func isExpired(by status: Int, isRedirected: Bool) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        case 400, 401, 403, 404, 410: isRedirected
        default: false
        }
    }
}

/// The target of a redirect: the `Location` header (RFC 9110, section 10.2.2).
///
/// Characters that are not allowed in a URL, also control characters, are percent-encoded, because browsers accept them and servers
/// send them. An ambiguous host is invalid: one with a backslash, a percent sign or a space, a port of more than 16 bits, or no host.
package enum RedirectLocation {
    /// Returns the absolute URL, or nil if there is no valid one.
    ///
    /// - Parameters:
    ///   - headers: The headers of the response. Several different values, or an empty value, are invalid, as in
    ///     browsers.
    ///   - base: The URL against which a relative reference is resolved, and whose fragment is inherited.
    /// - Returns: The absolute URL.
    static func url(in headers: HTTPFields, base: URL) -> URL? {
        // A byte that is not UTF-8 is percent-encoded as received.
        let values = Set(
            headers[fields: .location].map {
                stripped(String(escapingInvalidUTF8: $0.bytes))
            }
        )
        guard let value = values.first, values.count == 1, !value.isEmpty else { return nil }
        return url(of: value, base: base)
    }

    /// Returns the absolute URL of a reference that a server has sent, without user name and password; nil if it is invalid.
    ///
    /// - Parameters:
    ///   - reference: The URL, absolute or relative.
    ///   - base: The URL against which a relative reference is resolved, and whose fragment is inherited.
    /// - Returns: The absolute URL.
    package static func url(of reference: String, base: URL) -> URL? {
        let base = URLReference(base.withoutCredentials.absoluteString)
        var target = URLReference(reference)
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

    /// Returns a text without the spaces and control characters around it, as browsers do.
    private static func stripped(_ text: String) -> String {
        var scalars = text.unicodeScalars[...].drop { $0.value <= 0x20 }
        while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
        return String(scalars)
    }

    /// Returns whether the host of a URL with a scheme is checked: requests for upgrades are sent to the URLs of WebSockets, too.
    private static func isHTTP(_ scheme: String) -> Bool {
        ["http", "https", "ws", "wss"].contains(scheme.lowercased())
    }

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

/// A URI reference, absolute or relative, split into its five components (RFC 3986, section 4.1).
///
/// Foundation also resolves references. But if the text contains characters that are not allowed, which depend on the version of
/// Foundation, it percent-encodes existing escapes again.
struct URLReference: Equatable, Sendable {
    var scheme: String?
    /// User information, host and port.
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Splits any text (RFC 3986, appendix B).
    ///
    /// The components may contain characters that are not allowed.
    init(_ text: String) {
        // Scalars are compared instead of characters, since a combining mark must not hide a delimiter.
        var rest = text[...].unicodeScalars
        if let hash = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let end = rest.firstIndex(where: { $0 == ":" || $0 == "/" }), rest[end] == ":",
            Self.isScheme(String(rest[..<end]))
        {
            scheme = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
        }
        if rest.starts(with: "//".unicodeScalars) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    /// The reference as text (RFC 3986, section 5.3).
    var text: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
            + (fragment.map { "#" + $0 } ?? "")
    }

    /// Returns the reference resolved against an absolute URL with an authority (RFC 3986, section 5.2.2).
    func resolved(against base: URLReference) -> URLReference {
        var target = self
        if scheme != nil || authority != nil {
            target.scheme = scheme ?? base.scheme
            // Without an authority, removing dot segments could create one: "a:/.//b" would become "a://b".
            target.path = authority == nil ? path : Self.withoutDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.hasPrefix("/") {
            target.path = Self.withoutDotSegments(path)
        } else {
            // RFC 3986, section 5.2.3.
            let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
            target.path = Self.withoutDotSegments(folder + path)
        }
        return target
    }

    /// Returns an ASCII path without dot segments (RFC 3986, section 5.2.4).
    ///
    /// A path that does not start with a slash is returned unchanged.
    static func withoutDotSegments(_ path: String) -> String {
        guard path.hasPrefix("/") else { return path }
        var result: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            switch segment {
            case ".": break
            case "..": _ = result.popLast()
            default:
                result.append(segment)
                continue
            }
            // A trailing dot segment leaves a trailing slash.
            if index == segments.count - 1 { result.append("") }
        }
        return "/" + result.joined(separator: "/")
    }

    /// Returns whether the text is a URI scheme (RFC 3986, section 3.1).
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
    }
}
