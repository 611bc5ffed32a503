import Foundation
import HTTPTypes

/// A header with a case-insensitive name (RFC 9110, section 5.1) and a value.
public struct HTTPHeader: Sendable {
    /// The name, in the case in which it is sent.
    public let name: String
    /// The value.
    public let value: String

    /// Creates a header.
    ///
    /// Name and value are checked when the request is sent (``RequestValidationError``).
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Creates an `Accept` header with media ranges (RFC 9110, section 12.5.1).
    public static func accept(_ value: String) -> HTTPHeader { HTTPHeader(name: "Accept", value: value) }
    /// Creates an `Accept-Encoding` header (RFC 9110, section 12.5.3).
    ///
    /// Use only codings that the transport decodes.
    public static func acceptEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Encoding", value: value)
    }
    /// Creates an `Accept-Language` header (RFC 9110, section 12.5.4).
    public static func acceptLanguage(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Language", value: value)
    }
    /// Creates an `Authorization` header with any scheme (RFC 9110, section 11.6.2).
    public static func authorization(_ value: String) -> HTTPHeader { HTTPHeader(name: "Authorization", value: value) }
    /// Creates an `Authorization: Bearer` header (RFC 6750, section 2.1).
    public static func authorization(bearerToken: String) -> HTTPHeader { authorization("Bearer \(bearerToken)") }
    /// Creates an `Authorization: Basic` header with user name and password in UTF-8 (RFC 7617).
    public static func authorization(username: String, password: String) -> HTTPHeader {
        authorization("Basic \(Data("\(username):\(password)".utf8).base64EncodedString())")
    }
    /// Creates a `Content-Type` header (RFC 9110, section 8.3).
    public static func contentType(_ value: String) -> HTTPHeader { HTTPHeader(name: "Content-Type", value: value) }
    /// Creates a `User-Agent` header (RFC 9110, section 10.1.5).
    public static func userAgent(_ value: String) -> HTTPHeader { HTTPHeader(name: "User-Agent", value: value) }
}

extension HTTPHeader: Hashable {
    /// Returns whether the values are equal and the names are equal ignoring case.
    public static func == (lhs: HTTPHeader, rhs: HTTPHeader) -> Bool {
        lhs.value == rhs.value && lhs.name.lowercased() == rhs.name.lowercased()
    }

    /// Hashes the lowercase name and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name.lowercased())
        hasher.combine(value)
    }
}

/// A collection of headers in insertion order, with case-insensitive lookup by name.
///
/// Each name occurs once: setting a header again replaces its value in place.
public struct HTTPHeaders: Hashable, Sendable {
    private var fields: [HTTPHeader] = []

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection from headers; the last of several headers with the same name is used.
    public init(_ headers: [HTTPHeader]) {
        headers.forEach { update($0) }
    }

    /// Creates a collection from a dictionary, sorted by name.
    ///
    /// If names differ only in case, the header with the last name is used.
    public init(_ dictionary: [String: String]) {
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { update(name: name, value: value) }
    }

    /// Sets a header, replacing an existing one with this name.
    public mutating func add(name: String, value: String) { update(name: name, value: value) }
    /// Sets a header, replacing an existing one with this name.
    public mutating func add(_ header: HTTPHeader) { update(header) }
    /// Sets a header, replacing an existing one with this name.
    public mutating func update(name: String, value: String) { update(HTTPHeader(name: name, value: value)) }

    /// Sets a header, replacing an existing one with this name.
    public mutating func update(_ header: HTTPHeader) {
        if let index = index(of: header.name) {
            fields[index] = header
        } else {
            fields.append(header)
        }
    }

    /// Removes the header with this name, if there is one.
    public mutating func remove(name: String) {
        if let index = index(of: name) { fields.remove(at: index) }
    }

    /// Sorts the headers by name, ignoring case.
    public mutating func sort() { fields.sort { $0.name.lowercased() < $1.name.lowercased() } }

    /// Returns the headers sorted by name.
    public func sorted() -> HTTPHeaders {
        var headers = self
        headers.sort()
        return headers
    }

    /// Returns the value of the header with this name.
    public func value(for name: String) -> String? { index(of: name).map { fields[$0].value } }

    /// The value of the header with this name; setting `nil` removes the header.
    public subscript(_ name: String) -> String? {
        get { value(for: name) }
        set {
            if let newValue {
                update(name: name, value: newValue)
            } else {
                remove(name: name)
            }
        }
    }

    /// The headers as a dictionary.
    public var dictionary: [String: String] {
        Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    }

    private func index(of name: String) -> Int? {
        fields.firstIndex { $0.name.caseInsensitiveCompare(name) == .orderedSame }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// Creates a collection from a dictionary literal, in its order.
    public init(dictionaryLiteral elements: (String, String)...) {
        elements.forEach { update(name: $0, value: $1) }
    }

    /// Creates a collection from an array literal.
    public init(arrayLiteral elements: HTTPHeader...) { self.init(elements) }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first header, which is 0.
    public var startIndex: Int { fields.startIndex }
    /// The position after the last header, which is the number of headers.
    public var endIndex: Int { fields.endIndex }
    /// The header at a position.
    public subscript(position: Int) -> HTTPHeader { fields[position] }
}

extension URLRequest {
    /// The request's headers.
    public var headers: HTTPHeaders {
        get { HTTPHeaders(allHTTPHeaderFields ?? [:]) }
        set { allHTTPHeaderFields = newValue.dictionary }
    }

    /// Sets header fields, and removes the headers with the given names that are not among the fields.
    package mutating func setFields(_ fields: HTTPFields, replacing names: some Sequence<String>) {
        for name in names where HTTPField.Name(name).map({ !fields.contains($0) }) ?? true {
            setValue(nil, forHTTPHeaderField: name)
        }
        for field in fields { setValue(fields[field.name], forHTTPHeaderField: field.name.rawName) }
    }
}

extension HTTPURLResponse {
    /// The response's headers.
    public var headers: HTTPHeaders {
        HTTPHeaders(
            Dictionary(
                allHeaderFields.compactMap { name, value in
                    (name as? String).map { ($0, String(describing: value)) }
                },
                uniquingKeysWith: { _, last in last }
            )
        )
    }
}

extension URLSessionConfiguration {
    /// The headers that a session with this configuration adds to requests without them (`httpAdditionalHeaders`).
    public var headers: HTTPHeaders {
        get {
            HTTPHeaders(
                Dictionary(
                    (httpAdditionalHeaders ?? [:]).compactMap { name, value in
                        (name as? String).map { ($0, String(describing: value)) }
                    },
                    uniquingKeysWith: { _, last in last }
                )
            )
        }
        set { httpAdditionalHeaders = newValue.dictionary }
    }
}

extension HTTPHeader {
    /// Creates an `Accept-Charset` header (RFC 9110, section 12.5.2).
    ///
    /// Modern servers ignore it.
    public static func acceptCharset(_ value: String) -> HTTPHeader { HTTPHeader(name: "Accept-Charset", value: value) }
    /// Creates a `Content-Disposition` header (RFC 6266).
    public static func contentDisposition(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Disposition", value: value)
    }
    /// Creates a `Content-Encoding` header (RFC 9110, section 8.4).
    ///
    /// The header does not compress the body; use the task `.gzipped`.
    public static func contentEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Encoding", value: value)
    }
}

extension HTTPField.Name {
    /// Whether the field determines where the body ends (RFC 9112, section 6).
    ///
    /// Only the transport sets such fields.
    package var isFraming: Bool {
        // Nearly all other names have a different length, so few names are compared.
        switch canonicalName.utf8.count {
        case 14: self == .contentLength
        case 17: self == .transferEncoding
        default: false
        }
    }
}
