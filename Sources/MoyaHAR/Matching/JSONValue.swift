import Foundation

/// A JSON value that is compared by structure: texts by their bytes, numbers by their exact value.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case text(ExactText)
    case list([JSONValue])
    case object([ExactText: JSONValue])

    /// The maximum nesting; deeper JSON is compared by bytes.
    private static let maximumDepth = 200

    /// Parses the data; `nil` if it is not JSON.
    package init?(_ data: Data) {
        guard let value = JSONReader.value(of: data, maximumDepth: Self.maximumDepth) else { return nil }
        self = value
    }

    /// Returns the differences from a requested value, up to the limit.
    ///
    /// If `isRecord` is true, `***` matches any bytes inside of a text; otherwise only a whole value. Texts are
    /// passed to `mask` before they are shortened.
    package func differences(
        to actual: JSONValue,
        at path: String = "$",
        limit: Int = 20,
        isRecord: Bool = false,
        mask: (String) -> String = { $0 }
    ) -> [HARDifference] {
        if self == actual || self == .text(ExactText(HARSecrets.placeholder)) { return [] }
        var found: [HARDifference] = []
        switch (self, actual) {
        case (.object(let recorded), .object(let actual)):
            for name in Set(recorded.keys).union(actual.keys).sorted() where found.count < limit {
                found += Self.differences(
                    recorded[name],
                    actual[name],
                    at: "\(path).\(name.string)",
                    limit - found.count,
                    isRecord,
                    mask
                )
            }
        case (.list(let recorded), .list(let actual)):
            for index in 0..<max(recorded.count, actual.count) where found.count < limit {
                found += Self.differences(
                    index < recorded.count ? recorded[index] : nil,
                    index < actual.count ? actual[index] : nil,
                    at: "\(path)[\(index)]",
                    limit - found.count,
                    isRecord,
                    mask
                )
            }
        case (.text(let recorded), .text(let actual)):
            if isRecord, recorded.isMatched(by: actual) { return [] }
            let (old, new) = HARDifference.short(mask(recorded.string), mask(actual.string))
            found = [.json(path: path, recorded: old.debugDescription, actual: new.debugDescription)]
        default:
            found = [.json(path: path, recorded: text(mask), actual: actual.text(mask))]
        }
        return found
    }

    /// Returns the value without members that another value does not have.
    package func keepingMembers(of other: JSONValue) -> JSONValue {
        switch (self, other) {
        case (.object(let object), .object(let other)):
            .object(other.reduce(into: [:]) { $0[$1.key] = object[$1.key]?.keepingMembers(of: $1.value) })
        case (.list(let list), .list(let other)):
            .list(list.enumerated().map { $0 < other.count ? $1.keepingMembers(of: other[$0]) : $1 })
        default: self
        }
    }

    private static func differences(
        _ recorded: JSONValue?,
        _ actual: JSONValue?,
        at path: String,
        _ limit: Int,
        _ isRecord: Bool,
        _ mask: (String) -> String
    ) -> [HARDifference] {
        guard let recorded, let actual else {
            return [.json(path: path, recorded: recorded?.text(mask), actual: actual?.text(mask))]
        }
        return recorded.differences(to: actual, at: path, limit: limit, isRecord: isRecord, mask: mask)
    }

    private func text(_ mask: (String) -> String) -> String {
        if case .text(let text) = self { return JSONValue.text(ExactText(mask(text.string))).description }
        return description
    }
}

extension JSONValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        if case .object(let object) = self {
            var members = encoder.container(keyedBy: AnyKey.self)
            for (name, value) in object { try members.encode(value, forKey: AnyKey(stringValue: name.string)) }
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
        case .number(let number): HARDifference.short(number.description)
        case .text(let text): HARDifference.short(text.string).debugDescription
        case .list(let list): "a list of \(list.count)"
        case .object(let object): "an object of \(object.count)"
        }
    }
}
