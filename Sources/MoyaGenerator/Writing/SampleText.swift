import MoyaCodeText

/// Writes examples as the text of stubs.
enum SampleText {
    /// The number of lines of an example, after which it is left out.
    private static let limit = 16

    /// Returns the lines of a literal for an example; `nil` for a long one.
    static func literal(_ node: Node) -> [String]? {
        let short = compact(node)
        guard !short.contains("\"#"), !short.contains("\\") else { return nil }
        if short.count <= 80 { return ["#\"\(short)\"#"] }
        var lines: [String] = []
        write(node, indentation: 0, prefix: "", suffix: "", into: &lines)
        guard lines.count <= limit, lines.allSatisfy({ $0.count <= 90 }) else { return nil }
        return ["#\"\"\""] + lines + ["\"\"\"#"]
    }

    private static func compact(_ node: Node) -> String {
        switch node.value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let text): text
        case .string(let text): JSONString.quoted(text)
        case .array(let nodes): "[" + nodes.map(compact).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.all.map { "\(JSONString.quoted($0.key)): \(compact($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    private static func write(
        _ node: Node,
        indentation: Int,
        prefix: String,
        suffix: String,
        into lines: inout [String]
    ) {
        // An example that is much too long is not needed to its end.
        guard lines.count <= limit else { return }
        let space = String(repeating: " ", count: indentation)
        let short = compact(node)
        let isScalar = node.elements == nil && node.members == nil
        if isScalar || (space.count + prefix.count + short.count <= 60 && indentation > 0) {
            return lines.append(space + prefix + short + suffix)
        }
        let isArray = node.elements != nil
        lines.append(space + prefix + (isArray ? "[" : "{"))
        let parts =
            (node.elements ?? []).map { ("", $0) }
            + (node.members?.all ?? []).map { ("\(JSONString.quoted($0.key)): ", $0.value) }
        for (index, part) in parts.enumerated() {
            let comma = index == parts.count - 1 ? "" : ","
            write(part.1, indentation: indentation + 2, prefix: part.0, suffix: comma, into: &lines)
        }
        lines.append(space + (isArray ? "]" : "}") + suffix)
    }
}
