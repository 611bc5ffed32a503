/// Infers schemas from values: the kinds, the formats and the members that all values of a place have.
final class ValueShapes {
    /// The values that have been seen at a place.
    private final class Shape {
        var count = 0
        var nulls = 0
        var bools = 0
        var integers = 0
        var isLarge = false
        var numbers = 0
        var strings: [String: Int] = [:]
        var stringCount = 0
        var isSecret = false
        var arrays = 0
        var elements: Shape?
        var objects: Set<Int> = []
        var maps: Shape?
    }

    /// Objects that are one type.
    private final class Group {
        var words: [Words: Int] = [:]
        var count = 0
        var names: [String] = []
        var members: [String: Shape] = [:]
        var present: [String: Int] = [:]
    }

    private var groups: [Group] = []
    /// The groups by the names of their members.
    private var groupsByNames: [Set<String>: Int] = [:]
    private var roots: [String: Shape] = [:]
    private let file: String

    init(file: String) { self.file = file }

    /// Adds a value at a place.
    func add(_ node: Node, to root: String, words: Words) {
        let shape = roots[root] ?? Shape()
        roots[root] = shape
        add(node, to: shape, words: words)
    }

    /// Adds a text, such as that of a query item, which may be a number or a Boolean.
    func add(text: String, to root: String, name: String) {
        let position = Node.Position(line: 1, column: 1)
        let value: Node.Value =
            if text == "true" || text == "false" {
                .bool(text == "true")
            } else if TextForm.isInteger(text) {
                .number(text)
            } else {
                .string(text)
            }
        let shape = roots[root] ?? Shape()
        roots[root] = shape
        shape.isSecret = RecordedSecrets.isSecret(name: name)
        add(Node(value, at: position), to: shape, words: Words(of: name))
    }

    private func add(_ node: Node, to shape: Shape, words: Words) {
        shape.count += 1
        switch node.value {
        case .null: shape.nulls += 1
        case .bool: shape.bools += 1
        case .number(let text):
            if let value = Int64(text) {
                shape.integers += 1
                if value.magnitude > UInt64(Int32.max) { shape.isLarge = true }
            } else {
                shape.numbers += 1
            }
        case .string(let text):
            shape.stringCount += 1
            // More values than an enumeration has are not needed.
            if shape.strings[text] != nil || shape.strings.count < 100 { shape.strings[text, default: 0] += 1 }
        case .array(let nodes):
            shape.arrays += 1
            let elements = shape.elements ?? Shape()
            shape.elements = elements
            for element in nodes { add(element, to: elements, words: words.singular) }
        case .object(let members): add(members, to: shape, words: words)
        }
    }

    private func add(_ members: NodeMembers, to shape: Shape, words: Words) {
        let names = members.all.map(\.key)
        let isMap = !names.isEmpty && names.allSatisfy(TextForm.isIdentifier)
        if isMap || names.isEmpty {
            let values = shape.maps ?? Shape()
            shape.maps = values
            for member in members.all { add(member.value, to: values, words: words.singular) }
            return
        }
        let index = group(for: Set(names), words: words)
        shape.objects.insert(index)
        let group = groups[index]
        group.count += 1
        group.words[words, default: 0] += 1
        for member in members.all {
            if group.members[member.key] == nil {
                group.names.append(member.key)
                let new = Shape()
                new.isSecret = RecordedSecrets.isSecret(name: member.key)
                group.members[member.key] = new
            }
            group.present[member.key, default: 0] += 1
            if let value = group.members[member.key] { add(member.value, to: value, words: Words(of: member.key)) }
        }
    }

    /// Returns the group of objects with members: one with equal names, or one of the same word with most of the names.
    private func group(for names: Set<String>, words: Words) -> Int {
        if let known = groupsByNames[names] { return known }
        let similar = groups.indices.first { index in
            guard groups[index].words[words] != nil else { return false }
            let other = Set(groups[index].names)
            return 2 * names.intersection(other).count >= min(names.count, other.count)
        }
        let index = similar ?? groups.count
        if similar == nil { groups.append(Group()) }
        groupsByNames[names] = index
        return index
    }

    // MARK: Schemas

    /// The schemas of all groups of objects, by their identities.
    func schemas() -> (named: [SchemaID], schemas: [SchemaID: Schema]) {
        var schemas: [SchemaID: Schema] = [:]
        let ids = groups.indices.map(id)
        for (index, id) in ids.enumerated() { schemas[id] = schema(of: groups[index]) }
        return (ids, schemas)
    }

    /// Returns the schema of a place; `nil` for one without values.
    func schema(of root: String) -> Schema? { roots[root].map { schema($0) } }

    private lazy var names: [String] = {
        var unique = UniqueNames()
        return groups.map { group in
            let words = group.words.sorted { left, right in
                let (first, second) = (left.key.all.joined(separator: "-"), right.key.all.joined(separator: "-"))
                return left.value == right.value
                    ? (first.count, first) < (second.count, second) : left.value > right.value
            }
            return unique.take(words.map { $0.key.all.joined(separator: "-") })
        }
    }()

    private func id(_ index: Int) -> SchemaID { SchemaID(file: file, pointer: "#/recorded/\(names[index])") }

    private var location: SourceLocation { SourceLocation(file: file, line: 1, column: 1, pointer: "") }

    private func schema(of group: Group) -> Schema {
        var content = Schema.Content()
        content.kinds = [.object]
        content.properties = group.names.compactMap { name in
            group.members[name].map { Schema.Property(name: name, schema: schema($0)) }
        }
        content.required = Set(group.names.filter { group.present[$0] == group.count })
        return Schema(content, at: location)
    }

    private func schema(_ shape: Shape) -> Schema {
        var alternatives: [Schema] = []
        func add(_ content: Schema.Content) { alternatives.append(Schema(content, at: location)) }
        if shape.stringCount > 0 { add(stringContent(shape)) }
        if shape.integers + shape.numbers > 0 {
            var content = Schema.Content()
            content.kinds = [shape.numbers > 0 ? .number : .integer]
            if shape.isLarge, shape.numbers == 0 { content.format = "int64" }
            add(content)
        }
        if shape.bools > 0 {
            var content = Schema.Content()
            content.kinds = [.boolean]
            add(content)
        }
        if shape.arrays > 0 {
            var content = Schema.Content()
            content.kinds = [.array]
            if let elements = shape.elements, elements.count > 0 { content.items = schema(elements) }
            add(content)
        }
        for index in shape.objects.sorted() {
            var content = Schema.Content()
            content.reference = id(index)
            add(content)
        }
        if let values = shape.maps, values.count > 0 || shape.objects.isEmpty {
            var content = Schema.Content()
            content.kinds = [.object]
            content.additionalProperties = values.count > 0 ? .schema(schema(values)) : .anything
            add(content)
        }
        return combined(alternatives, isNullable: shape.nulls > 0)
    }

    private func combined(_ alternatives: [Schema], isNullable: Bool) -> Schema {
        guard isNullable || alternatives.count != 1 else { return alternatives[0] }
        var content = Schema.Content()
        content.isNullable = isNullable
        content.anyOf = alternatives
        return Schema(content, at: location)
    }

    private func stringContent(_ shape: Shape) -> Schema.Content {
        var content = Schema.Content()
        content.kinds = [.string]
        let texts = shape.strings.keys
        if texts.allSatisfy(TextForm.isDateTime) {
            content.format = "date-time"
        } else if texts.allSatisfy(TextForm.isDate) {
            content.format = "date"
        } else if texts.allSatisfy(TextForm.isUUID) {
            content.format = "uuid"
        } else if texts.allSatisfy(TextForm.isURL) {
            content.format = "uri"
        } else if isEnumeration(shape) {
            let position = Node.Position(line: 1, column: 1)
            content.enumeration = texts.sorted().map { Node(.string($0), at: position) }
        }
        return content
    }

    /// Whether a few values are repeated often.
    private func isEnumeration(_ shape: Shape) -> Bool {
        let distinct = shape.strings.count
        return !shape.isSecret && distinct >= 2 && distinct <= 12 && shape.stringCount >= 3 * distinct
            && shape.strings.allSatisfy {
                TextForm.isConstant($0.key) && !RecordedSecrets.isSecret(value: $0.key) && $0.value >= 2
            }
    }
}
