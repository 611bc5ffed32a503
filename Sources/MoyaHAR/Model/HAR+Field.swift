import Foundation
import MoyaHTTP

extension HAR {
    /// The name and the value of a header or a query parameter.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String
        /// The encoding of the bytes that were sent, if it is not UTF-8: `ISO-8859-1`.
        ///
        /// Its name in a file is `_encoding`.
        public var encoding: String?
        /// A comment.
        public var comment: String?
        /// Custom fields of other programs.
        var customFields = CustomFields()

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
        /// The expiration date as text, because programs write it in several formats.
        public var expires: String?
        /// Whether the cookie is hidden from scripts.
        public var httpOnly: Bool?
        /// Whether the cookie is sent over secure connections only.
        public var secure: Bool?
        /// The rule for sending the cookie with requests from other sites: `Strict`, `Lax` or `None`.
        ///
        /// The format has no such member, but browsers write it.
        public var sameSite: String?
        /// A comment.
        public var comment: String?
        /// Custom fields of other programs.
        var customFields = CustomFields()

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

    /// The value as the bytes that were sent.
    var fieldText: FieldText {
        let isLatin1 = encoding?.caseInsensitiveCompare(Self.latin1) == .orderedSame
        return (isLatin1 ? FieldText(latin1: value) : nil) ?? FieldText(value)
    }

    private static let latin1 = "ISO-8859-1"
}

extension HAR.Field: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, value, comment
        case encoding = "_encoding"
    }

    /// Decodes a field.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.text(.name) ?? ""
        value = try container.text(.value) ?? ""
        // Another program may use the name with a different meaning.
        encoding = try? container.decodeIfPresent(String.self, forKey: .encoding)
        comment = container.textIfPossible(.comment)
    }

    /// Encodes the field.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encodeIfPresent(encoding, forKey: .encoding)
        try container.encodeIfPresent(comment, forKey: .comment)
        try customFields.encode(to: encoder)
    }
}

extension HAR.Cookie: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, value, path, domain, expires, httpOnly, secure, sameSite, comment
    }

    /// Decodes a cookie.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.text(.name) ?? ""
        value = try container.text(.value) ?? ""
        path = try container.text(.path)
        domain = try container.text(.domain)
        expires = try container.text(.expires)
        httpOnly = container.boolean(.httpOnly)
        secure = container.boolean(.secure)
        sameSite = container.textIfPossible(.sameSite)
        comment = container.textIfPossible(.comment)
    }

    /// Encodes the cookie.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encodeIfPresent(path, forKey: .path)
        try container.encodeIfPresent(domain, forKey: .domain)
        try container.encodeIfPresent(expires, forKey: .expires)
        try container.encodeIfPresent(httpOnly, forKey: .httpOnly)
        try container.encodeIfPresent(secure, forKey: .secure)
        try container.encodeIfPresent(sameSite, forKey: .sameSite)
        try container.encodeIfPresent(comment, forKey: .comment)
        try customFields.encode(to: encoder)
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
