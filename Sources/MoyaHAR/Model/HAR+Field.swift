import Foundation

extension HAR {
    /// A name and its value: a header, or a parameter of a query.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String
        /// Anything.
        public var comment: String?

        /// Makes a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A cookie that was sent or set.
    public struct Cookie: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String
        /// The path it is for.
        public var path: String?
        /// The domain it is for.
        public var domain: String?
        /// When it expires, as text: programs write it in several forms.
        public var expires: String?
        /// Whether scripts don't get it.
        public var httpOnly: Bool?
        /// Whether it is sent over secure connections only.
        public var secure: Bool?
        /// Anything.
        public var comment: String?

        /// Makes a cookie.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension HAR.Field: Codable {
    /// Reads a field.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.value(.name, or: "")
        value = try container.value(.value, or: "")
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
    }
}

extension HAR.Cookie: Codable {
    /// Reads a cookie.
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
    /// The value of the first field of this name, whatever its case.
    func value(of name: String) -> String? {
        first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
    }
}
