import MoyaHAR

/// JSON written as a literal, of values of any kinds.
///
///     .json(["name": "Ann", "age": 36, "roles": ["admin"], "manager": nil])
public struct JSONLiteral: Sendable, Hashable {
    let value: JSONValue
}

extension JSONLiteral: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Makes a text.
    public init(stringLiteral value: String) { self.value = .text(value) }

    /// Makes a number.
    public init(integerLiteral value: Int64) { self.value = .integer(value) }

    /// Makes a number.
    public init(floatLiteral value: Double) {
        self.value = Int64(exactly: value).map { .integer($0) } ?? .number(value)
    }

    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) { self.value = .bool(value) }

    /// Makes `null`.
    public init(nilLiteral: ()) { value = .null }
}

extension JSONLiteral: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Makes a list.
    public init(arrayLiteral elements: JSONLiteral...) { value = .list(elements.map(\.value)) }

    /// Makes an object. Of several members of one name the last counts.
    public init(dictionaryLiteral elements: (String, JSONLiteral)...) {
        value = .object(elements.reduce(into: [:]) { $0[$1.0] = $1.1.value })
    }
}
