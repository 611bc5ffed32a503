import Foundation
import MoyaJSON

/// Members of a JSON object in an error that no standard defines, to be decoded as types of the application.
///
///     struct OutOfCredit: Decodable { var balance: Int }
///     let credit = try problem.extensions.decode(OutOfCredit.self)
///     let balance = problem.extensions.value("balance", as: Int.self)
public struct ExtensionMembers: Decodable, Equatable, Sendable {
    private var members: [String: JSONTree]

    /// Creates members without a value.
    public init() { members = [:] }

    /// Decodes all members of an object.
    public init(from decoder: any Decoder) throws { try self.init(from: decoder, except: []) }

    /// Decodes all members of an object, except those that a standard defines.
    init(from decoder: any Decoder, except known: Set<String>) throws {
        let container = try decoder.container(keyedBy: NameKey.self)
        members = [:]
        for key in container.allKeys where !known.contains(key.stringValue) {
            members[key.stringValue] = try container.decode(JSONTree.self, forKey: key)
        }
    }

    /// The names of the members, sorted.
    public var names: [String] { members.keys.sorted() }

    /// Whether there is no member.
    public var isEmpty: Bool { members.isEmpty }

    /// Returns a member as a type; `nil` if it is missing or does not decode.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - type: The type, which can be inferred.
    ///   - decoder: Decodes the member.
    /// - Returns: The value.
    public func value<Value: Decodable>(
        _ name: String,
        as type: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> Value? {
        members[name].flatMap { try? decoder.decode(type, from: JSONEncoder().encode($0)) }
    }

    /// Returns all members as a type with these properties.
    ///
    /// - Parameters:
    ///   - type: The type, which can be inferred.
    ///   - decoder: Decodes the members.
    /// - Returns: The value.
    /// - Throws: The error of the decoder.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: JSONEncoder().encode(members))
    }
}

/// A JSON value.
private enum JSONTree: Codable, Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case decimal(Decimal)
    case double(Double)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let decimal = try? value.decode(Decimal.self) {
            self = .decimal(decimal)
        } else if let double = try? value.decode(Double.self) {
            self = .double(double)
        } else if let list = try? value.decode([JSONTree].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .integer(let integer): try value.encode(integer)
        case .decimal(let decimal): try value.encode(decimal)
        case .double(let double): try value.encode(double)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let object): try value.encode(object)
        }
    }
}
