/// A value of a JSON or YAML text, with its position.
package struct Node: Sendable {
    package enum Value: Sendable {
        case null
        case bool(Bool)
        /// A number as written.
        case number(String)
        case string(String)
        case array([Node])
        case object(NodeMembers)
    }

    package struct Position: Hashable, Sendable {
        package var line: Int
        package var column: Int

        package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
    }

    package var value: Value
    package var position: Position

    package init(_ value: Value, at position: Position) { (self.value, self.position) = (value, position) }

    package var string: String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// The text of a string, a number or a Boolean.
    package var scalarText: String? {
        switch value {
        case .string(let text), .number(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    package var bool: Bool? {
        if case .bool(let flag) = value { flag } else { nil }
    }

    package var isNull: Bool {
        if case .null = value { true } else { false }
    }

    package var elements: [Node]? {
        if case .array(let nodes) = value { nodes } else { nil }
    }

    package var members: NodeMembers? {
        if case .object(let members) = value { members } else { nil }
    }

    package subscript(key: String) -> Node? { members?[key]?.value }

    /// The word for the kind of the value in messages.
    package var kindName: String {
        switch value {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension Node: Equatable {
    /// Returns whether two values are equal, wherever they are.
    package static func == (lhs: Node, rhs: Node) -> Bool {
        switch (lhs.value, rhs.value) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)):
            left.all.count == right.all.count && left.all.allSatisfy { right[$0.key]?.value == $0.value }
        default: false
        }
    }
}

/// The members of an object in their order, with a look-up by name.
package final class NodeMembers: Sendable {
    package struct Member: Sendable {
        package var key: String
        package var keyPosition: Node.Position
        package var value: Node

        package init(key: String, keyPosition: Node.Position, value: Node) {
            (self.key, self.keyPosition, self.value) = (key, keyPosition, value)
        }
    }

    package let all: [Member]
    private let indices: [String: Int]

    /// Creates the members of an object; a later member replaces an earlier one of the same name in look-ups.
    package init(_ members: [Member]) {
        all = members
        indices = Dictionary(members.indices.map { (members[$0].key, $0) }, uniquingKeysWith: { $1 })
    }

    package subscript(key: String) -> Member? { indices[key].map { all[$0] } }
}
