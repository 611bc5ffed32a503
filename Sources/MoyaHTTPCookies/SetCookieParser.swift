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
    static func parse(_ field: String) throws(CookieError) -> SetCookie { try parse(Array(field.utf8)) }

    /// Parses the bytes of a field.
    ///
    /// - Throws: ``CookieError``: `controlCharacter` or `tooLong`.
    static func parse(_ bytes: [UInt8]) throws(CookieError) -> SetCookie {
        guard !bytes.contains(where: isControl) else { throw .controlCharacter }
        var rest = bytes[...]
        let pair = take(&rest)
        let (name, value) = split(pair) ?? (Bytes(), trimmed(pair))
        guard name.count + value.count <= maximumNameAndValueLength else { throw .tooLong }
        var cookie = SetCookie(nameText: FieldText(bytes: name), valueText: FieldText(bytes: value))
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
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
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

    private static func text(_ bytes: Bytes) -> String { FieldText(bytes: bytes).text }
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

/// The content of a `Set-Cookie` field before validation.
struct SetCookie: Equatable, Sendable {
    /// The lifetime: the last valid attribute of each kind.
    struct Lifetime: Equatable, Sendable {
        /// The value of `Max-Age` in seconds, limited to a century.
        var maxAge: Int?
        var expires: Date?
    }

    var nameText: FieldText
    var valueText: FieldText
    var lifetime = Lifetime()
    /// The value of `Domain` in lowercase without a leading dot; `nil` or empty if missing.
    var domain: String?
    /// The value of `Path`; `nil` if missing, empty for the default path.
    var path: String?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite = Cookie.SameSite.unspecified

    var name: String { nameText.text }
    var value: String { valueText.text }
}

/// A parser for the dates in `Expires`, whose parts may be in any order (RFC 6265bis, section 5.1.1).
enum CookieDate {
    private typealias Bytes = ArraySlice<UInt8>

    static func parse(_ text: String) -> Date? { parse(Array(text.utf8)[...]) }

    static func parse(_ bytes: ArraySlice<UInt8>) -> Date? {
        var time: (hour: Int64, minute: Int64, second: Int64)?
        var day: Int64?
        var month: Int64?
        var year: Int64?
        for token in bytes.split(whereSeparator: isDelimiter) {
            if time == nil, let found = self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 }
        if (0...69).contains(year) { year += 2000 }
        guard year >= 1601, time.hour <= 23, time.minute <= 59, time.second <= 59,
            (1...CivilDate.length(ofMonth: month, inYear: year)).contains(day)
        else { return nil }
        let seconds = CivilDate.seconds(
            year: year,
            month: month,
            day: day,
            time: [time.hour, time.minute, time.second]
        )
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Returns a number with this many digits, which must not be followed by another digit.
    private static func number(_ token: Bytes, digits range: ClosedRange<Int>) -> Int64? {
        // One additional digit is sufficient to detect too many.
        let digits = token.prefix(range.upperBound + 1).prefix(while: \.isDigit)
        guard range.contains(digits.count) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func time(_ token: Bytes) -> (hour: Int64, minute: Int64, second: Int64)? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].count <= 2, fields[1].count <= 2,
            fields[0].allSatisfy(\.isDigit), fields[1].allSatisfy(\.isDigit),
            let hour = number(fields[0], digits: 1...2), let minute = number(fields[1], digits: 1...2),
            let second = number(fields[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    /// Returns the month that a token starts with, ignoring case.
    private static func month(_ token: Bytes) -> Int64? {
        guard let first = token.first else { return nil }
        return CivilDate.month([first & ~0x20] + token.dropFirst().prefix(2).map { $0 | 0x20 })
    }
}
