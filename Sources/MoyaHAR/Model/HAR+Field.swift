import Foundation
import MoyaHTTP

extension HAR {
    /// A name and its value, of a header or a query parameter.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String
        /// The encoding in which the value has the bytes that were sent, if it is not UTF-8: `ISO-8859-1`.
        ///
        /// In a file it is `_encoding`.
        public var encoding: String?
        /// A comment.
        public var comment: String?

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A cookie that was sent or received.
    public struct Cookie: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String
        /// The path of the cookie.
        public var path: String?
        /// The domain of the cookie.
        public var domain: String?
        /// The expiration date as text, as programs write it in several formats.
        public var expires: String?
        /// Whether the cookie is hidden from scripts.
        public var httpOnly: Bool?
        /// Whether the cookie is sent over secure connections only.
        public var secure: Bool?
        /// A comment.
        public var comment: String?

        /// Creates a cookie.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension HAR.Field {
    /// Creates the field of a message.
    init(_ field: HTTPField) {
        let text = field.fieldText
        self.init(name: field.name.rawName, value: text.text)
        if text.isLatin1 { encoding = Self.latin1 }
    }

    /// The value with the bytes that were sent.
    var fieldText: FieldText {
        let isLatin1 = encoding?.caseInsensitiveCompare(Self.latin1) == .orderedSame
        return (isLatin1 ? FieldText(latin1: value) : nil) ?? FieldText(value)
    }

    private static let latin1 = "ISO-8859-1"
}

extension HAR.Field: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, value, comment
        case encoding = "_encoding"
    }

    /// Decodes a field.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.value(.name, or: "")
        value = try container.value(.value, or: "")
        // Another program may mean something else by it.
        encoding = try? container.decodeIfPresent(String.self, forKey: .encoding)
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
    }
}

extension HAR.Cookie: Codable {
    /// Decodes a cookie.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.value(.name, or: "")
        value = try container.value(.value, or: "")
        path = try container.decodeIfPresent(String.self, forKey: .path)
        domain = try container.decodeIfPresent(String.self, forKey: .domain)
        expires = try container.text(.expires)
        httpOnly = try container.decodeIfPresent(Bool.self, forKey: .httpOnly)
        secure = try container.decodeIfPresent(Bool.self, forKey: .secure)
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
    }
}

extension [HAR.Field] {
    /// Returns the first field with a name, which is case-insensitive.
    func first(named name: String) -> HAR.Field? { first { $0.name.caseInsensitiveCompare(name) == .orderedSame } }

    /// Returns the value of the first field with a name, which is case-insensitive.
    func value(of name: String) -> String? {
        first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
    }
}

/// The parts of a URL as text, for comparison; URLs in a file may be invalid for Foundation.
package struct URLText: Hashable, Sendable {
    /// Scheme, host and port, in lower case and without a default port; empty if missing.
    package let origin: String
    /// The path as written; `/` if it is empty.
    package let path: String
    /// The query parameters, decoded, in order.
    package let items: [Item]

    package struct Item: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    package init(of url: String) {
        let text = url.prefix { $0 != "#" }
        let beforeQuery = text.prefix { $0 != "?" }
        let query = text[beforeQuery.endIndex...].dropFirst()
        var path = beforeQuery[...]
        var origin = ""
        if let slashes = beforeQuery.range(of: "://") {
            let authority = beforeQuery[slashes.upperBound...].prefix { $0 != "/" }
            path = beforeQuery[authority.endIndex...]
            origin = Self.origin(scheme: beforeQuery[..<slashes.lowerBound].lowercased(), authority.lowercased())
        }
        self.origin = origin
        self.path = path.isEmpty ? "/" : String(path)
        items = Self.items(of: query)
    }

    /// Returns the decoded parameters of a query or a form.
    package static func items(of query: some StringProtocol) -> [Item] {
        // By bytes, as a separator followed by a combining character is one Character.
        query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return Item(
                name: decoded(String(decoding: name, as: UTF8.self)),
                value: decoded(String(decoding: pair[name.endIndex...].dropFirst(), as: UTF8.self))
            )
        }
    }

    private static func origin(scheme: String, _ authority: String) -> String {
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? authority
        let usual = ["http": ":80", "https": ":443", "ws": ":80", "wss": ":443"][scheme] ?? ":"
        return "\(scheme)://\(host.hasSuffix(usual) ? String(host.dropLast(usual.count)) : host)"
    }

    private static func decoded(_ text: String) -> String {
        let spaced = text.replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }
}

// Lenient decoding of archives of other programs: missing or null values have defaults, numbers may be texts.
extension KeyedDecodingContainer {
    func value<Value: Decodable>(_ key: Key, or missing: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? missing
    }

    /// Decodes a finite number, or a text with one.
    func number(_ key: Key) throws -> Double? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        // The usual case comes first, as a failed attempt is slow.
        if let number = try? decode(Double.self, forKey: key) {
            guard number.isFinite else { throw invalid(key, "is not a finite number") }
            return number
        }
        guard let text = try? decode(String.self, forKey: key) else { return try decode(Double.self, forKey: key) }
        guard let number = Double(text), number.isFinite else { throw invalid(key, "is not a number") }
        return number
    }

    /// Decodes a number, rounded to an integer.
    func integer(_ key: Key) throws -> Int64? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        if let integer = try? decode(Int64.self, forKey: key) { return integer }
        guard let number = try number(key) else { return nil }
        guard let integer = Int64(exactly: number.rounded()) else { throw invalid(key, "is too large") }
        return integer
    }

    /// Decodes a text, or a number as text.
    func text(_ key: Key) throws -> String? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        if let text = try? decode(String.self, forKey: key) { return text }
        guard let number = try? decode(Double.self, forKey: key) else { return try decode(String.self, forKey: key) }
        return "\(number)"
    }

    func date(_ key: Key) throws -> Date {
        guard let date = ISO8601Date.date(of: try decode(String.self, forKey: key)) else {
            throw invalid(key, "is not an ISO 8601 date, such as 2026-01-31T12:00:00.000Z")
        }
        return date
    }

    func checkBase64(_ text: String?, encoding: String?, _ key: Key) throws {
        guard let text, encoding?.lowercased() == "base64", Data(lenientBase64: text) == nil else { return }
        throw invalid(key, "is not in base64")
    }

    private func invalid(_ key: Key, _ problem: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: problem)
    }
}

extension Data {
    /// Decodes base64 and ignores white space, as some programs break lines.
    init?(lenientBase64 text: String) {
        if let data = Data(base64Encoded: text) {
            self = data
        } else {
            let bytes = text.utf8.filter { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
            guard bytes.count < text.utf8.count, let data = Data(base64Encoded: Data(bytes)) else { return nil }
            self = data
        }
    }
}
