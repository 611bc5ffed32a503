import MoyaHAR

/// JSON written as a literal, of values of any kinds.
///
///     .json(["name": "Ann", "age": 36, "roles": ["admin"], "manager": nil, "id": JSONLiteral(user.id)])
public struct JSONLiteral: Sendable, Hashable {
    let value: JSONValue

    private init(_ value: JSONValue) { self.value = value }

    /// Makes a text.
    public init(_ text: String) { self.init(.text(ExactText(text))) }

    /// Makes a number.
    public init(_ number: Int) { self.init(.number(JSONNumber(number))) }

    /// Makes a number.
    public init(_ number: Double) { self.init(floatLiteral: number) }

    /// Makes `true` or `false`.
    public init(_ value: Bool) { self.init(.bool(value)) }
}

extension JSONLiteral: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Makes a text.
    public init(stringLiteral value: String) { self.init(.text(ExactText(value))) }

    /// Makes a number.
    public init(integerLiteral value: Int64) { self.init(.number(JSONNumber(value))) }

    /// Makes a number.
    public init(floatLiteral value: Double) { self.init(.number(JSONNumber(value))) }

    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) { self.init(.bool(value)) }

    /// Makes `null`.
    public init(nilLiteral: ()) { self.init(.null) }
}

extension JSONLiteral: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Makes a list.
    public init(arrayLiteral elements: JSONLiteral...) { self.init(.list(elements.map(\.value))) }

    /// Makes an object. Of several members of one name the last counts.
    public init(dictionaryLiteral elements: (String, JSONLiteral)...) {
        self.init(.object(elements.reduce(into: [:]) { $0[ExactText($1.0)] = $1.1.value }))
    }
}
