#if Macros
import MoyaCodeText

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
        case .string(let text): return JSONString.quoted(text)
        case .integer(let number): return "\(number)"
        case .boolean(let boolean): return "\(boolean)"
        case .array(let elements):
            guard !elements.isEmpty else { return "[]" }
            return "[\n" + elements.map { inner + $0.text(indentation: inner) }.joined(separator: ",\n")
                + "\n\(indentation)]"
        case .object(let members):
            guard !members.isEmpty else { return "{}" }
            let lines = members.map { "\(inner)\(JSONString.quoted($0.name)): \($0.value.text(indentation: inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
        }
    }
}
#endif
