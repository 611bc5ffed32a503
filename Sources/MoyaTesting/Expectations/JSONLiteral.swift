import MoyaHAR

/// A JSON value that can be written as a literal.
///
///     .json(["name": "Ann", "age": 36, "roles": ["admin"], "manager": nil, "id": JSONLiteral(user.id)])
public struct JSONLiteral: Sendable, Hashable {
    let value: JSONValue

    private init(_ value: JSONValue) { self.value = value }

    /// Creates a text.
    public init(_ text: String) { self.init(.text(ExactText(text))) }

    /// Creates a number.
    public init(_ number: Int) { self.init(.number(JSONNumber(number))) }

    /// Creates a number.
    public init(_ number: Double) { self.init(floatLiteral: number) }

    /// Creates a Boolean.
    public init(_ value: Bool) { self.init(.bool(value)) }
}

extension JSONLiteral: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Creates a text.
    public init(stringLiteral value: String) { self.init(.text(ExactText(value))) }

    /// Creates a number.
    public init(integerLiteral value: Int64) { self.init(.number(JSONNumber(value))) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self.init(.number(JSONNumber(value))) }

    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self.init(.bool(value)) }

    /// Creates `null`.
    public init(nilLiteral: ()) { self.init(.null) }
}

extension JSONLiteral: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSONLiteral...) { self.init(.list(elements.map(\.value))) }

    /// Creates an object; if several members have the same name, the last one is used.
    public init(dictionaryLiteral elements: (String, JSONLiteral)...) {
        self.init(.object(elements.reduce(into: [:]) { $0[ExactText($1.0)] = $1.1.value }))
    }
}
