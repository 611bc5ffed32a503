import Foundation

/// A set of ASCII characters with fast lookup of UTF-8 bytes.
package struct ASCIISet: Sendable {
    // One bit for each character.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates a set; characters that are not ASCII are ignored.
    package init(_ characters: String) {
        for byte in characters.utf8 where byte < 0x80 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
    }

    /// Returns whether the byte is one of the characters.
    package func contains(_ byte: UInt8) -> Bool {
        byte < 0x80 && (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte - 64)) & 1 == 1
    }

    /// Returns the set with additional characters.
    func adding(_ characters: String) -> ASCIISet {
        var result = ASCIISet(characters)
        result.low |= low
        result.high |= high
        return result
    }
}

extension ASCIISet {
    private static let alphanumerics = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

    /// The unreserved characters (RFC 3986, section 2.3).
    package static let unreserved = alphanumerics.adding("-._~")

    /// The characters that are allowed in the path of a URL: `pchar` and `/` (RFC 3986, section 3.3).
    package static let path = unreserved.adding("!$&'()*+,;=:@/")

    /// The characters that are not escaped in a value that is inserted into a path: `pchar` without `;`, which some servers interpret
    /// as the start of parameters.
    package static let pathValue = unreserved.adding("!$&'()*+,=:@")

    /// The characters that are allowed in an escaped path.
    package static let escapedPath = path.adding("%")

    /// The characters that are allowed in a URL, including escapes and delimiters (RFC 3986, section 2).
    package static let url = path.adding("?#[]%")

    /// The characters that are not escaped in names and values of a query.
    static let query = unreserved.adding("/?")

    /// The characters that are not escaped in forms (WHATWG URL Standard, application/x-www-form-urlencoded
    /// percent-encode set).
    static let form = alphanumerics.adding("*-._")
}

extension String {
    /// Returns the text with all characters except the kept ones percent-encoded in UTF-8 (RFC 3986, section 2.5).
    package func percentEncoded(keeping kept: ASCIISet) -> String {
        var text = self
        let isPlain = text.withUTF8 { $0.allSatisfy(kept.contains) }
        if isPlain { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            if kept.contains(byte) { bytes.append(byte) } else { bytes.appendPercentEncoded(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends `%` and two hexadecimal digits.
    mutating func appendPercentEncoded(_ byte: UInt8) {
        append(UInt8(ascii: "%"))
        append(Self.hexDigit(byte >> 4))
        append(Self.hexDigit(byte & 0xF))
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

extension String {
    /// The text with all characters percent-encoded in UTF-8, except unreserved characters (RFC 3986, section 2.3),
    /// `/` and `?`.
    package var percentEncodedForQuery: String { percentEncoded(keeping: .query) }
}

extension URL {
    /// Returns the URL with an escaped query appended to its query, keeping the fragment.
    func appendingQuery(_ query: String) -> URL? {
        guard !query.isEmpty else { return self }
        let text = absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let base = text[..<end]
        let separator =
            switch base.firstIndex(of: "?") {
            case nil: "?"
            case let mark? where base.index(after: mark) == base.endIndex: ""
            case _?: "&"
            }
        return URL(string: base + separator + query + text[end...])
    }
}

extension URLRequest {
    /// Sets the content type, unless the request has one.
    package mutating func setContentTypeIfAbsent(_ type: String) {
        // Neither `value(forHTTPHeaderField:)`, which compares slowly on Linux, nor `setValue` is used, which silently drops a
        // value with a line break that the session must reject with an error, and on Linux takes longer than all other steps of
        // creating a request.
        var headers = allHTTPHeaderFields ?? [:]
        guard !headers.keys.contains(where: { $0.utf8.count == 12 && $0.lowercased() == "content-type" }) else {
            return
        }
        headers["Content-Type"] = type
        allHTTPHeaderFields = headers
    }

    /// Writes escaped pairs into the query or, with the content type of a form, into the body.
    ///
    /// - Throws: ``RequestValidationError/invalidURL(_:)`` if the request has no URL.
    mutating func putForm(_ pairs: String, into destination: URLEncoding.Destination) throws {
        // On Linux, modifying a request without a URL crashes.
        guard let url else { throw RequestValidationError.invalidURL("") }
        if destination.isQuery(for: httpMethod) {
            guard !pairs.isEmpty else { return }
            guard let extended = url.appendingQuery(pairs) else {
                throw RequestValidationError.invalidURL(url.withoutCredentials.absoluteString)
            }
            self.url = extended
        } else {
            setContentTypeIfAbsent("application/x-www-form-urlencoded; charset=utf-8")
            httpBody = Data(pairs.utf8)
        }
    }
}

/// The escaping of names and values in a form or a query.
struct FormEscaping {
    let rule: URLEncodedFormEncoder.Escaping
    let space: URLEncodedFormEncoder.SpaceEncoding

    /// Returns the escaped text.
    func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text, percent-encoded in UTF-8 (RFC 3986, section 2.5).
    func append(_ text: String, to bytes: inout [UInt8]) {
        let kept: ASCIISet = rule == .rfc3986 ? .query : .form
        for byte in text.utf8 {
            if kept.contains(byte) {
                bytes.append(byte)
            } else if byte == UInt8(ascii: " "), space == .plus {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.appendPercentEncoded(byte)
            }
        }
    }
}

/// Escaped pairs: `name=value`, separated by `&`.
struct FormText {
    private(set) var bytes: [UInt8] = []
    private let escaping: FormEscaping

    init(escaping: FormEscaping) { self.escaping = escaping }

    mutating func append(name: String, value: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        escaping.append(name, to: &bytes)
        bytes.append(UInt8(ascii: "="))
        escaping.append(value, to: &bytes)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}
