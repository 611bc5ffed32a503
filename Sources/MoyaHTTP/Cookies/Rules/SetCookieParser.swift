import Foundation

/// A parser for the value of a `Set-Cookie` field (RFC 6265bis, section 5.6), in one pass.
///
/// Like the standard it processes bytes, so that names and values keep all non-ASCII bytes.
struct SetCookieParser {
    static let maximumNameAndValueLength = 4096
    static let maximumAttributeLength = 1024

    private typealias Bytes = ArraySlice<UInt8>

    /// Parses a field.
    ///
    /// - Throws: ``CookieError``: `controlCharacter` or `tooLong`.
    static func parse(_ field: String) throws(CookieError) -> SetCookie {
        let bytes = Array(field.utf8)
        guard !bytes.contains(where: isControl) else { throw .controlCharacter }
        var rest = bytes[...]
        let pair = take(&rest)
        let (name, value) = split(pair) ?? (Bytes(), trimmed(pair))
        guard name.count + value.count <= maximumNameAndValueLength else { throw .tooLong }
        var cookie = SetCookie(name: text(name), value: text(value))
        while !rest.isEmpty {
            let attribute = take(&rest)
            let (name, value) = split(attribute) ?? (trimmed(attribute), Bytes())
            guard value.count <= maximumAttributeLength else { continue }
            apply(name, value, to: &cookie)
        }
        return cookie
    }

    /// Returns whether the byte is a control character, which makes a field invalid.
    ///
    /// Tab is allowed as whitespace.
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    private static func apply(_ name: Bytes, _ value: Bytes, to cookie: inout SetCookie) {
        // The length of the longest known name; longer ones need not be converted to a string.
        guard name.count <= 8 else { return }
        switch text(name).lowercased() {
        case "expires": if let date = CookieDate.parse(value) { cookie.lifetime.expires = date }
        case "max-age": if let seconds = seconds(value) { cookie.lifetime.maxAge = seconds }
        case "domain": cookie.domain = text(value.first == UInt8(ascii: ".") ? value.dropFirst() : value).lowercased()
        case "path": cookie.path = value.first == UInt8(ascii: "/") ? text(value) : ""
        case "secure": cookie.isSecure = true
        case "httponly": cookie.isHTTPOnly = true
        case "samesite": cookie.sameSite = Cookie.SameSite(attribute: text(value))
        default: break
        }
    }

    /// Parses `Max-Age` (section 5.6.2).
    ///
    /// A number that overflows counts as a very large one.
    private static func seconds(_ value: Bytes) -> Int? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy(CookieDate.isDigit) else { return nil }
        let limit = 100 * 366 * 86_400
        let number = digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), limit) }
        return isNegative ? -number : number
    }

    /// Removes and returns the text before the next semicolon.
    private static func take(_ rest: inout Bytes) -> Bytes {
        let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
        defer { rest = rest[min(end + 1, rest.endIndex)...] }
        return rest[..<end]
    }

    private static func split(_ pair: Bytes) -> (Bytes, Bytes)? {
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (trimmed(pair[..<equals]), trimmed(pair[(equals + 1)...]))
    }

    private static func trimmed(_ bytes: Bytes) -> Bytes {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let end = bytes.lastIndex(where: { !isSpace($0) }) else { return Bytes() }
        return bytes[...end].drop(while: isSpace)
    }

    private static func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension Cookie.SameSite {
    /// Parses a value of `SameSite` (section 5.6.7).
    fileprivate init(attribute value: String) {
        self =
            switch value.lowercased() {
            case "none": .none
            case "strict": .strict
            case "lax": .lax
            default: .unspecified
            }
    }
}
