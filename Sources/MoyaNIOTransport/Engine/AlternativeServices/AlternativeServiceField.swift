import HTTPTypes

/// The alternatives in the `Alt-Svc` fields of a response (RFC 7838, section 3), as far as they are for HTTP/2 over TLS.
struct AlternativeServiceField: Equatable, Sendable {
    /// Another host or port of an origin.
    struct Alternative: Equatable, Sendable {
        /// The host; `nil` for the host of the origin.
        let host: String?
        let port: Int
        /// The time in seconds for which the alternative is fresh.
        let maxAge: Double
    }

    /// The alternatives, the preferred one first; empty if the origin has none for HTTP/2.
    let alternatives: [Alternative]

    static let name = HTTPField.Name("Alt-Svc")

    /// Reads the fields of a response; `nil` if there are none, or if no part of them is valid.
    init?(_ headers: HTTPFields) {
        guard let name = Self.name, headers.contains(name) else { return nil }
        let age = headers[fields: .age].first.flatMap { DeltaSeconds.parse($0.value.withoutOptionalWhitespace) } ?? 0
        self.init(headers[fields: name].map(\.value), age: age)
    }

    /// Reads the values of the fields.
    ///
    /// Invalid alternatives, and those for other protocols, are ignored. `clear` removes all alternatives, also those that stand
    /// beside it.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - age: The age of the response in seconds (section 3.1).
    init?(_ values: [String], age: Double = 0) {
        var alternatives: [Alternative] = []
        var isValid = false
        for value in values {
            var reader = FieldReader(value.utf8)
            while !reader.isAtEnd {
                reader.skip { $0.isFieldSpace || $0 == .comma }
                guard !reader.isAtEnd else { break }
                switch reader.takeElement() {
                case .clear:
                    self.alternatives = []
                    return
                case .alternative(let id, let authority, let maxAge):
                    // Identifiers are compared as text, because each has one spelling only (section 3).
                    guard let (host, port) = Self.split(authority) else { break }
                    isValid = true
                    if id == OfferedProtocols.http2Name, maxAge > age {
                        alternatives.append(Alternative(host: host, port: port, maxAge: maxAge - age))
                    }
                case nil: break
                }
                reader.skipElement()
            }
        }
        guard isValid else { return nil }
        self.alternatives = alternatives
    }

    /// Returns the host, if any, and the port of an authority; `nil` if it is invalid.
    private static func split(_ authority: String) -> (host: String?, port: Int)? {
        guard let colon = authority.lastIndex(of: ":") else { return nil }
        let digits = authority[authority.index(after: colon)...]
        guard digits.utf8.allSatisfy(\.isDigit), let port = UInt16(digits), port > 0 else { return nil }
        let host = authority[..<colon]
        guard !host.isEmpty else { return (nil, Int(port)) }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = host.dropFirst().dropLast()
            guard address.contains(":"), address.utf8.allSatisfy({ $0.isHexDigit || ":.".utf8.contains($0) }) else {
                return nil
            }
            return (String(address), Int(port))
        }
        guard host.utf8.allSatisfy({ $0.isAlphanumeric || "-._".utf8.contains($0) }) else { return nil }
        return (String(host), Int(port))
    }
}

extension FieldReader {
    fileprivate enum AlternativeServiceElement {
        case clear
        case alternative(id: String, authority: String, maxAge: Double)
    }

    /// The time in seconds for which an alternative without `ma` is fresh (section 3.1).
    private static let defaultMaxAge: Double = 24 * 3600

    /// Reads an element up to the next comma or the end; `nil` if it is invalid.
    fileprivate mutating func takeElement() -> AlternativeServiceElement? {
        let id = String(decoding: take(while: \.isToken), as: UTF8.self)
        guard skipIf(.equals) else {
            skipSpace()
            return id == "clear" && isElementEnd ? .clear : nil
        }
        guard !id.isEmpty, next == .quote, let authority = takeParameterValue() else { return nil }
        var maxAge = Self.defaultMaxAge
        skipSpace()
        while skipIf(.semicolon) {
            skipSpace()
            let name = String(decoding: take(while: \.isToken), as: UTF8.self).lowercased()
            guard !name.isEmpty, skipIf(.equals), let value = takeParameterValue() else { return nil }
            if name == "ma" {
                guard let seconds = DeltaSeconds.parse(value) else { return nil }
                maxAge = seconds
            }
            skipSpace()
        }
        return isElementEnd ? .alternative(id: id, authority: authority, maxAge: maxAge) : nil
    }

    private var isElementEnd: Bool { isAtEnd || next == .comma }

    /// Reads a token or a quoted string; `nil` if there is none.
    private mutating func takeParameterValue() -> String? {
        guard skipIf(.quote) else {
            let token = take(while: \.isToken)
            return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
        }
        let quoted = takeQuoted()
        return quoted.isTerminated ? String(decoding: quoted.content, as: UTF8.self) : nil
    }
}
