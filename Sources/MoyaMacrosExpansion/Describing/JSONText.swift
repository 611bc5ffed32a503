#if Macros
/// A JSON value whose members keep their order.
package indirect enum JSONText: Equatable, Sendable, ExpressibleByStringLiteral {
    case object([Member])
    case array([JSONText])
    case string(String)
    case integer(Int)
    case boolean(Bool)

    /// A member of an object.
    package struct Member: Equatable, Sendable {
        package var name: String
        package var value: JSONText
    }

    package init(stringLiteral value: String) { self = .string(value) }

    /// Creates an object without the members whose value is `nil`.
    package static func members(_ members: KeyValuePairs<String, JSONText?>) -> JSONText {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// Returns the value of a member of an object; `nil` for other values.
    package subscript(name: String) -> JSONText? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text, with an indentation of two spaces.
    package var text: String { text(indentation: "") }

    private func text(indentation: String) -> String {
        let inner = indentation + "  "
        switch self {
        case .string(let text): return Self.quoted(text)
        case .integer(let number): return "\(number)"
        case .boolean(let boolean): return "\(boolean)"
        case .array(let elements):
            guard !elements.isEmpty else { return "[]" }
            return "[\n" + elements.map { inner + $0.text(indentation: inner) }.joined(separator: ",\n")
                + "\n\(indentation)]"
        case .object(let members):
            guard !members.isEmpty else { return "{}" }
            let lines = members.map { "\(inner)\(Self.quoted($0.name)): \($0.value.text(indentation: inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
        }
    }

    /// Returns a text in quotes (RFC 8259, section 7).
    private static func quoted(_ text: String) -> String {
        "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            guard scalar.value < 0x20 else { return String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
#endif
