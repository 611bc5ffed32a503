import Foundation
import Yams

/// Reads YAML 1.2 with the positions of its values.
///
/// Plain scalars have the types of the core schema, so `yes` and `2026-01-31` are strings.
package struct YAMLText {
    private var count = 0

    /// Returns the value of a text.
    package static func parse(_ bytes: [UInt8]) throws(TextError) -> Node {
        let text = String(decoding: bytes, as: UTF8.self)
        let root: Yams.Node?
        do {
            root = try Yams.compose(yaml: text, .basic)
        } catch let error as YamlError {
            throw failure(of: error)
        } catch {
            throw TextError("The text is not YAML.", at: Node.Position(line: 1, column: 1))
        }
        guard let root else { throw TextError("The text is empty.", at: Node.Position(line: 1, column: 1)) }
        var reader = YAMLText()
        return try reader.read(root, depth: 0)
    }

    private mutating func read(_ node: Yams.Node, depth: Int) throws(TextError) -> Node {
        let position = Self.position(of: node)
        guard depth <= TextLimits.depth else { throw TextError("The value is nested too deeply.", at: position) }
        count += 1
        guard count <= TextLimits.values else { throw TextError("The text has too many values.", at: position) }
        switch node {
        case .scalar(let scalar): return Node(Self.value(of: scalar), at: position)
        case .sequence(let sequence):
            var nodes: [Node] = []
            nodes.reserveCapacity(sequence.count)
            for element in sequence { nodes.append(try read(element, depth: depth + 1)) }
            return Node(.array(nodes), at: position)
        case .mapping(let mapping):
            return Node(.object(try readMembers(mapping, depth: depth)), at: position)
        case .alias: throw TextError("The alias has no anchor.", at: position)
        }
    }

    private mutating func readMembers(_ mapping: Yams.Node.Mapping, depth: Int) throws(TextError) -> NodeMembers {
        var members: [NodeMembers.Member] = []
        var merged: [NodeMembers.Member] = []
        for (key, value) in mapping {
            let position = Self.position(of: key)
            guard case .scalar(let name) = key else {
                throw TextError("The name of a member must be a scalar.", at: position)
            }
            let value = try read(value, depth: depth + 1)
            if name.string == "<<", name.style == .plain {
                for node in value.elements ?? [value] { merged += node.members?.all ?? [] }
            } else {
                members.append(NodeMembers.Member(key: name.string, keyPosition: position, value: value))
            }
        }
        // Members of the object itself replace merged ones, and the first of several merged objects has precedence.
        var names = Set(members.map(\.key))
        members += merged.filter { names.insert($0.key).inserted }
        return NodeMembers(members)
    }

    private static func position(of node: Yams.Node) -> Node.Position {
        Node.Position(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    private static func value(of scalar: Yams.Node.Scalar) -> Node.Value {
        let text = scalar.string
        guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: return number(text).map(Node.Value.number) ?? .string(text)
        }
    }

    /// Returns the number as JSON writes it.
    private static func number(_ text: String) -> String? {
        guard let first = text.utf8.first, first < 0x3A, Double(text) != nil else { return nil }
        if text.hasPrefix("0o") { return Int(text.dropFirst(2), radix: 8).map(String.init) }
        if text.hasPrefix("0x") { return Int(text.dropFirst(2), radix: 16).map(String.init) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        if (try? JSONText.parse(Array(text.utf8))) != nil { return text }
        guard let value = Double(text), value.isFinite else { return nil }
        return Int(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func failure(of error: YamlError) -> TextError {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            TextError("The YAML is invalid: \(problem).", at: Node.Position(line: mark.line, column: mark.column))
        case .duplicatedKeysInMapping(let names, let context):
            TextError(
                "The name \"\(names.first ?? "")\" is repeated in the mapping.",
                at: Node.Position(line: context.mark.line, column: context.mark.column)
            )
        default: TextError("The text is not YAML.", at: Node.Position(line: 1, column: 1))
        }
    }
}
