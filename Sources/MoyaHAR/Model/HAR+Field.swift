import Foundation

extension HAR {
    /// A name and its value, of a header or a query parameter.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String
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

extension HAR.Field: Codable {
    /// Decodes a field.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.value(.name, or: "")
        value = try container.value(.value, or: "")
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
    /// Returns the value of the first field with a name, which is case-insensitive.
    func value(of name: String) -> String? {
        first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
    }
}
