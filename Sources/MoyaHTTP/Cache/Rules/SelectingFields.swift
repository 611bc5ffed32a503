import HTTPTypes

/// The fields of a request that select a response, as named by the `Vary` of the response (RFC 9111, section 4.1).
enum SelectingFields {
    /// Returns the names in a `Vary` field, in lowercase; `nil` if it has a `*`, which no request matches.
    static func names(in headers: HTTPFields) -> [String]? {
        guard headers.contains(.vary) else { return [] }
        let names = headers[values: .vary].flatMap(\.lowercasedListElements)
        return names.contains("*") ? nil : names
    }

    /// Returns the values of a request's fields, normalized.
    static func values(of names: [String], in request: HTTPFields) -> [String: String?] {
        var values: [String: String?] = [:]
        for name in names { values[name] = .some(value(of: name, in: request)) }
        return values
    }

    /// Returns whether a request has the same values.
    static func matches(_ values: [String: String?], in request: HTTPFields) -> Bool {
        values.allSatisfy { name, stored in
            guard let stored, let current = value(of: name, in: request) else {
                return stored == nil && value(of: name, in: request) == nil
            }
            // Strings with different bytes can be equal, so the bytes are compared.
            return stored.utf8.elementsEqual(current.utf8)
        }
    }

    /// Returns the normalized value of a field: its lines are combined, and whitespace around the elements of a list is removed.
    ///
    /// The elements of content negotiation are in lowercase and sorted: their order has no meaning. Bytes that are not
    /// UTF-8 are kept (``FieldText/storable``).
    static func value(of name: String, in request: HTTPFields) -> String? {
        guard let field = HTTPField.Name(name), request.contains(field) else { return nil }
        let lines = request[fields: field]
        guard lines.allSatisfy(\.isUTF8) else {
            return FieldText(bytes: Array(lines.map(\.bytes).joined(separator: [.comma]))).storable
        }
        let text = lines.map(\.value).joined(separator: ",")
        guard !text.utf8.contains(.quote) else { return text }
        let elements = text.split(separator: ",", omittingEmptySubsequences: false).map(\.withoutOptionalWhitespace)
        guard negotiation.contains(name) else { return elements.joined(separator: ",") }
        return elements.filter { !$0.isEmpty }
            .map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
            .sorted()
            .joined(separator: ",")
    }

    private static let negotiation: Set<String> = ["accept", "accept-language", "accept-encoding", "accept-charset"]
}
