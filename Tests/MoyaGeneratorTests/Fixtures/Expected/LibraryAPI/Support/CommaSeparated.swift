/// A list that is sent as one text, with commas between its elements.
struct CommaSeparated<Element: Codable & Hashable & Sendable>: Encodable, Hashable, Sendable {
    /// The elements.
    var elements: [Element]

    /// Creates a list.
    init(_ elements: [Element]) { self.elements = elements }

    /// The text of an element: its raw value, if it has one.
    private static func text(of element: Element) -> String {
        guard let value = element as? any RawRepresentable else { return "\(element)" }
        return "\(value.rawValue)"
    }

    /// Encodes the text.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(elements.map(Self.text).joined(separator: ","))
    }
}

extension CommaSeparated: ExpressibleByArrayLiteral {
    /// Creates a list.
    init(arrayLiteral elements: Element...) { self.elements = elements }
}
