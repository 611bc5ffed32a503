import Foundation

/// A value of JSON, to be compared by its structure.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Deeper JSON is compared byte by byte.
    private static let maximumDepth = 200

    /// `nil` if the data is no JSON.
    package init?(_ data: Data) {
        guard let first = data.first(where: { $0 > 0x20 }), first != 0, !data.contains(0),
            JSONShape(data, limit: Self.maximumDepth).depth <= Self.maximumDepth,
            let value = try? JSONDecoder().decode(JSONValue.self, from: data)
        else { return nil }
        self = value
    }

    /// In what it differs from what was asked, at most so many times.
    ///
    /// - Parameter mask: Makes of a text what may be shown of it, before it is cut.
    package func differences(
        to asked: JSONValue,
        at path: String = "$",
        limit: Int = 20,
        mask: (String) -> String = { $0 }
    ) -> [HARDifference] {
        if self == asked || self == .text(HARSecrets.placeholder) { return [] }
        var found: [HARDifference] = []
        switch (self, asked) {
        case (.object(let recorded), .object(let asked)):
            for name in Set(recorded.keys).union(asked.keys).sorted() where found.count < limit {
                found += Self.differences(recorded[name], asked[name], at: "\(path).\(name)", limit - found.count, mask)
            }
        case (.list(let recorded), .list(let asked)):
            for index in 0..<max(recorded.count, asked.count) where found.count < limit {
                found += Self.differences(
                    index < recorded.count ? recorded[index] : nil,
                    index < asked.count ? asked[index] : nil,
                    at: "\(path)[\(index)]",
                    limit - found.count,
                    mask
                )
            }
        case (.text(let recorded), .text(let asked)):
            let (old, new) = HARDifference.short(mask(recorded), mask(asked))
            found = [.json(path: path, recorded: old.debugDescription, asked: new.debugDescription)]
        default:
            found = [.json(path: path, recorded: text(mask), asked: asked.text(mask))]
        }
        return found
    }

    /// Without the members that another value does not have.
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
        _ asked: JSONValue?,
        at path: String,
        _ limit: Int,
        _ mask: (String) -> String
    ) -> [HARDifference] {
        guard let recorded, let asked else {
            return [.json(path: path, recorded: recorded?.text(mask), asked: asked?.text(mask))]
        }
        return recorded.differences(to: asked, at: path, limit: limit, mask: mask)
    }

    private func text(_ mask: (String) -> String) -> String {
        if case .text(let text) = self { return JSONValue.text(mask(text)).description }
        return description
    }
}

extension JSONValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }
}

extension JSONValue: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The usual cases come first: an attempt that fails costs time.
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let object = try? container.decode([String: JSONValue].self) {
            self = .object(object)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else {
            let number = try container.decode(Double.self)
            self = Int64(exactly: number).map { .integer($0) } ?? .number(number)
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// A short form, for errors.
    package var description: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .number(let number): "\(number)"
        case .text(let text): HARDifference.short(text).debugDescription
        case .list(let list): "a list of \(list.count)"
        case .object(let object): "an object of \(object.count)"
        }
    }
}
