import Foundation
import MoyaHTTP
import MoyaJSON

/// A JSON value that is compared by structure: texts by their bytes, numbers by their exact value.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case text(ExactText)
    case list([JSONValue])
    case object([ExactText: JSONValue])

    /// The maximum nesting; a body with deeper JSON is compared by its bytes.
    private static let maximumDepth = 200

    /// Parses the data; `nil` if it is not JSON.
    package init?(_ data: Data) {
        guard let value = JSONValueParser.parse(data, maximumDepth: Self.maximumDepth) else { return nil }
        self = value
    }
}

extension JSONValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        if case .object(let object) = self {
            var members = encoder.container(keyedBy: NameKey.self)
            for (name, value) in object { try members.encode(value, forKey: NameKey(stringValue: name.string)) }
            return
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text.string)
        case .list(let list): try container.encode(list)
        case .object: break
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// A short form for errors.
    package var description: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): number.description.shortened
        case .text(let text): text.string.shortened.debugDescription
        case .list(let list): "a list of \(list.count)"
        case .object(let object): "an object of \(object.count)"
        }
    }
}
