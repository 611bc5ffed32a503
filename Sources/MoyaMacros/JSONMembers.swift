#if Macros
import Foundation
import MoyaHTTP
import MoyaJSON

/// A JSON object with an endpoint's parameters, in which `nil` values are omitted.
public struct JSONMembers: Encodable, Sendable {
    private var members: [(key: NameKey, value: any Encodable & Sendable)] = []

    /// Creates an empty object.
    public init() {}

    /// Returns the object with an additional member.
    public func adding(_ name: String, _ value: some Encodable & Sendable) -> JSONMembers {
        var object = self
        object.members.append((NameKey(stringValue: name), value))
        return object
    }

    /// Returns the object with an additional member, unless its value is `nil`.
    public func adding(_ name: String, _ value: (some Encodable & Sendable)?) -> JSONMembers {
        guard let value else { return self }
        return adding(name, value)
    }

    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: NameKey.self)
        for member in members { try container.encode(member.value, forKey: member.key) }
    }
}
#endif
