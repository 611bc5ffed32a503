extension TypeBuilder {
    /// Returns the type of a value that has one of several schemas.
    mutating func type(
        ofAlternatives alternatives: [Schema],
        _ content: Schema.Content,
        _ schema: Schema,
        _ context: Context
    ) -> Use {
        var base = content
        (base.oneOf, base.anyOf, base.isNullable) = ([], [], false)
        let hasBase = !base.properties.isEmpty
        if alternatives.count == 1 {
            guard hasBase || !base.required.isEmpty else {
                return type(of: alternatives[0], context)
            }
            return type(of: Self.joined(base, alternatives[0], at: schema.location), context)
        }
        if !hasBase, let simple = simpleType(alternatives, content, schema, context) { return simple }
        base.discriminator = nil
        let members = hasBase ? alternatives.map { Self.joined(base, $0, at: schema.location) } : alternatives
        return unionType(members, named: alternatives, content, schema, context)
    }

    /// Returns a schema with the members of a base and of an alternative.
    private static func joined(_ base: Schema.Content, _ alternative: Schema, at location: SourceLocation) -> Schema {
        var content = Schema.Content()
        var base = base
        // The description belongs to the whole.
        base.description = nil
        content.allOf = [Schema(base, at: location), alternative]
        return Schema(content, at: alternative.location)
    }

    /// Returns the type of alternatives that are strings, or numbers, which need no union.
    private mutating func simpleType(
        _ alternatives: [Schema],
        _ content: Schema.Content,
        _ schema: Schema,
        _ context: Context
    ) -> Use? {
        let flat = alternatives.map { flattening.flatten($0) }
        guard flat.allSatisfy({ $0.alternatives.allSatisfy(\.content.isOnlyValidation) }) else { return nil }
        let isNullable = flat.contains(where: \.isNullable)
        func kinds(_ content: Schema.Content) -> [Schema.Kind] {
            if !content.kinds.isEmpty { return content.kinds }
            let values = content.enumeration ?? content.constant.map { [$0] } ?? []
            return !values.isEmpty && values.allSatisfy { $0.string != nil } ? [.string] : []
        }
        if flat.allSatisfy({ kinds($0) == [.string] }) {
            let isFormatted = flat.contains { $0.enumeration == nil && $0.constant == nil && $0.format != nil }
            let values = flat.flatMap { $0.enumeration ?? $0.constant.map { [$0] } ?? [] }
            guard !values.isEmpty, !isFormatted else { return Use(type: .string, isNullable: isNullable) }
            var merged = content
            (merged.oneOf, merged.anyOf, merged.kinds) = ([], [], [.string])
            merged.enumeration = values
            merged.enumerationDescriptions = flat.count == values.count ? flat.map { $0.description ?? "" } : []
            merged.enumerationNames =
                flat.count == values.count && flat.allSatisfy { $0.title != nil } ? flat.compactMap(\.title) : []
            var use = type(of: Schema(merged, at: schema.location), context)
            use.isNullable = isNullable
            return use
        }
        if flat.allSatisfy({ kinds($0) == [.integer] }), flat.contains(where: { $0.isRefinement }) {
            let isComplete = flat.allSatisfy { $0.constant != nil && $0.title != nil }
            guard isComplete else { return Use(type: .int, isNullable: isNullable) }
            var merged = content
            (merged.oneOf, merged.anyOf, merged.kinds) = ([], [], [.integer])
            merged.enumeration = flat.compactMap(\.constant)
            merged.enumerationNames = flat.compactMap(\.title)
            merged.enumerationDescriptions = flat.map { $0.description ?? "" }
            var use = type(of: Schema(merged, at: schema.location), context)
            use.isNullable = isNullable
            return use
        }
        if flat.allSatisfy({ [[.integer], [.number]].contains(kinds($0)) }) {
            let isInteger = flat.allSatisfy { $0.kinds == [.integer] }
            return Use(type: isInteger ? .int : .double, isNullable: isNullable)
        }
        return nil
    }

    /// Returns the type of a value whose kind is one of several.
    mutating func type(
        ofKinds kinds: [Schema.Kind],
        _ content: Schema.Content,
        _ schema: Schema,
        _ context: Context
    ) -> Use {
        if Set(kinds) == [.integer, .number] { return Use(type: .double) }
        if kinds.count >= 5 { return Use(type: .json) }
        let alternatives = kinds.map { kind in
            var part = content
            (part.kinds, part.description, part.isNullable, part.title) = ([kind], nil, false, nil)
            if kind != .object { (part.properties, part.additionalProperties, part.required) = ([], .unspecified, []) }
            if kind != .array { (part.items, part.prefixItems) = (nil, []) }
            if kind != .string { (part.format, part.enumeration) = (nil, nil) }
            return Schema(part, at: schema.location)
        }
        return unionType(alternatives, named: alternatives, hasOwnPlaces: false, content, schema, context)
    }

    // MARK: Unions

    /// Returns the union of some members; `hasOwnPlaces` is whether the alternatives have places of their own in the document.
    private mutating func unionType(
        _ members: [Schema],
        named alternatives: [Schema],
        hasOwnPlaces: Bool = true,
        _ content: Schema.Content,
        _ schema: Schema,
        _ context: Context
    ) -> Use {
        let id = declare(content, at: schema.location, context)
        var isNullable = false
        var cases: [Union.Case] = []
        var contents: [Schema.Content] = []
        var names = UniqueNames(reserved: ["unknown", "encode", "hash", "hashvalue"])
        let common = commonWords(of: alternatives)
        for (index, member) in members.enumerated() {
            let flat = flattening.flatten(member)
            let isOnlyObject = alternatives.count { kindGroup($0) == 1 } == 1
            let name = caseWords(alternatives[index], flat, index: index, isOnlyObject ? context.words.singular : nil)
            var memberContext = Context(words: Words(name.words.all), parent: id)
            // A merged schema has the name of its alternative.
            if member.content.reference == nil, memberContext.words.isEmpty {
                memberContext.words = Words(["option", "\(index + 1)"])
            }
            // A member with the base is a new schema, which may have the same alternatives again.
            guard !hasOwnPlaces || openAlternatives.insert(alternatives[index].location).inserted else {
                diagnostics.warn(
                    .union,
                    "An alternative contains itself; it is left out there.",
                    at: alternatives[index].location
                )
                continue
            }
            let use = whileOpen(schema, id) { $0.type(of: member, memberContext) }
            if hasOwnPlaces { openAlternatives.remove(alternatives[index].location) }
            isNullable = isNullable || use.isNullable
            if let known = cases.firstIndex(where: { $0.type == use.type }) {
                cases[known].tags += tags(of: alternatives[index], flat, content)
                continue
            }
            let words = name.isReference ? trimmed(name.words, common) : name.words
            let base = caseName(configuration.naming.value(words))
            cases.append(
                Union.Case(
                    name: names.take([base]),
                    type: use.type,
                    tags: tags(of: alternatives[index], flat, content)
                )
            )
            contents.append(flat)
        }
        if cases.isEmpty {
            aliases[id] = .json
            return Use(type: .json, isNullable: isNullable)
        }
        var union = Union(cases: cases, discriminator: content.discriminator?.property, isOpen: true)
        if union.discriminator == nil { distinguish(&union, contents) }
        if union.discriminator != nil { removeRepeatedTags(&union, at: schema.location) }
        union.isOpen = cases.contains { isObject($0.type) }
        order(&union, contents, at: schema.location)
        self[id].kind = .union(union)
        if let shared = share(id, context) { return Use(type: shared, isNullable: isNullable) }
        if cases.count == 1, !cases[0].type.declarations.contains(id) {
            // All alternatives have one type, which needs no union.
            aliases[id] = cases[0].type
            return Use(type: cases[0].type, isNullable: isNullable)
        }
        return Use(type: .declared(id), isNullable: isNullable)
    }

    /// Moves a union of types with names out of its place, and returns the type of an equal one.
    private mutating func share(_ id: DeclarationID, _ context: Context) -> TypeReference? {
        guard context.id == nil, case .union(let union) = self[id].kind, (2...3).contains(union.cases.count),
            union.discriminator == nil || union.cases.count == 2
        else { return nil }
        let types = union.cases.map(\.type)
        let names = types.map { sharedWords(of: $0) }
        guard names.allSatisfy({ $0 != nil }) else { return nil }
        if let known = sharedUnions[types], known != id {
            aliases[id] = .declared(known)
            return .declared(known)
        }
        sharedUnions[types] = id
        // The name is the same for each order of the alternatives: types of the document, texts, numbers, lists.
        func rank(_ type: TypeReference) -> Int {
            switch type {
            case .declared: 0
            case .known("String"): 1
            case .known, .dictionary, .optional, .generic: 2
            case .array: 3
            }
        }
        let order = types.indices.sorted { left, right in
            let (first, second) = (rank(types[left]), rank(types[right]))
            return first == second ? left < right : first < second
        }
        self[id].words = Words(Array(order.compactMap { names[$0]?.all }.joined(separator: ["or"])))
        self[id].parent = nil
        self[id].documentation = Documentation()
        return .declared(id)
    }

    /// Returns the words for a type that has a name outside of any other type.
    private func sharedWords(of type: TypeReference) -> Words? {
        switch type {
        case .known(let name): name == "JSONValue" ? nil : Words(of: name)
        case .declared(let id):
            self[id].parent != nil || aliases[id] != nil ? nil : self[id].words
        case .array(let element): sharedWords(of: element).map { $0 + Words(["list"]) }
        case .dictionary, .optional, .generic: nil
        }
    }

    /// Returns the type of a schema that others extend.
    mutating func polymorphicType(
        _ content: Schema.Content,
        _ id: SchemaID,
        _ extensions: [SchemaID],
        _ schema: Schema,
        _ context: Context
    ) -> TypeReference {
        let declaration = declare(content, at: schema.location, context)
        var names = UniqueNames(reserved: ["unknown", "encode", "hash", "hashvalue"])
        var cases: [Union.Case] = []
        for child in extensions {
            let mapped = content.discriminator?.mapping.filter { $0.target == child }.map(\.value) ?? []
            let words = trimmed(Words(of: child.name), context.words)
            cases.append(
                Union.Case(
                    name: names.take([caseName(configuration.naming.value(words))]),
                    type: namedType(child).type,
                    tags: mapped.isEmpty ? [child.name] : mapped
                )
            )
        }
        var union = Union(cases: cases, discriminator: content.discriminator?.property, isOpen: true)
        removeRepeatedTags(&union, at: schema.location)
        self[declaration].kind = .union(union)
        return .declared(declaration)
    }

    /// Returns the values of the discriminator that select an alternative.
    private func tags(of alternative: Schema, _ flat: Schema.Content, _ content: Schema.Content) -> [String] {
        guard let discriminator = content.discriminator else { return [] }
        guard let id = alternative.content.reference else {
            return constants(of: discriminator.property, flat) ?? []
        }
        let mapped = discriminator.mapping.filter { $0.target == id }.map(\.value)
        if !mapped.isEmpty { return mapped }
        // Without a mapping, the value is the name of the schema, unless the schema has fixed values.
        return constants(of: discriminator.property, flat) ?? [id.name]
    }

    /// Returns the fixed values of a property.
    private func constants(of property: String, _ content: Schema.Content) -> [String]? {
        guard let schema = content.properties.first(where: { $0.name == property })?.schema else { return nil }
        var copy = flattening
        let flat = copy.flatten(schema)
        let values = flat.constant.map { [$0] } ?? flat.enumeration
        guard let values, !values.isEmpty, values.allSatisfy({ $0.string != nil }) else { return nil }
        return values.compactMap(\.string)
    }

    private mutating func removeRepeatedTags(_ union: inout Union, at location: SourceLocation) {
        var seen: Set<String> = []
        for index in union.cases.indices {
            let tags = union.cases[index].tags
            union.cases[index].tags = tags.filter { seen.insert($0).inserted }
            if union.cases[index].tags.isEmpty {
                diagnostics.warn(
                    .union,
                    "No value of the discriminator selects \"\(union.cases[index].name)\"; it is never decoded.",
                    at: location
                )
            }
        }
    }

    // MARK: Structure

    /// Finds a property with different fixed values in all objects, or properties that only one object has.
    private func distinguish(_ union: inout Union, _ contents: [Schema.Content]) {
        let objects = union.cases.indices.filter { isObject(union.cases[$0].type) }
        guard objects.count > 1 else { return }
        if objects.count == union.cases.count, let name = distinguishingProperty(contents) {
            union.discriminator = name
            for (index, content) in contents.enumerated() {
                union.cases[index].tags = constants(of: name, content) ?? []
                union.cases[index].hasOptionalTag = !content.required.contains(name)
            }
            if union.cases.allSatisfy({ !$0.hasOptionalTag }) { return }
        }
        for index in objects {
            let others = Set(objects.filter { $0 != index }.flatMap { contents[$0].properties.map(\.name) })
            let own = contents[index].properties.map(\.name).filter { !others.contains($0) }
            if let required = own.first(where: contents[index].required.contains) {
                union.cases[index].keys = [required]
            } else if contents[index].required.isEmpty {
                union.cases[index].keys = Array(own.prefix(4))
            }
        }
    }

    /// Returns the property that has different fixed values in all objects, and the first one that all objects require.
    private func distinguishingProperty(_ contents: [Schema.Content]) -> String? {
        let names = contents[0].properties.map(\.name).filter { name in
            let values = contents.map { constants(of: name, $0) ?? [] }
            return values.allSatisfy { !$0.isEmpty } && Set(values.joined()).count == values.joined().count
        }
        return names.first { name in contents.allSatisfy { $0.required.contains(name) } } ?? names.first
    }

    /// Orders cases so that the decoding of a more specific type is tried first.
    private mutating func order(_ union: inout Union, _ contents: [Schema.Content], at location: SourceLocation) {
        guard union.discriminator == nil, union.cases.count == contents.count else { return }
        func rank(_ index: Int) -> (Int, Int) {
            let content = contents[index]
            // Dates and identifiers are tried before plain strings, integers before numbers, objects with more required properties first.
            switch union.cases[index].type {
            case .known("JSONValue"): return (9, 0)
            case .known("String"): return (3, 0)
            case .known("Double"): return (2, 1)
            case .known("Int"), .known("Int64"): return (2, 0)
            case .dictionary: return (8, 0)
            case .declared(let id):
                if case .enumeration = self[id].kind { return (3, -1) }
                let key = union.cases[index].keys.isEmpty ? 1 : 0
                return (4 + key, -content.required.count)
            default: return (1, 0)
            }
        }
        let order = union.cases.indices.sorted { left, right in
            let (first, second) = (rank(left), rank(right))
            return first == second ? left < right : first < second
        }
        let vague = order.filter { index in
            guard case .declared(let id) = union.cases[index].type, union.cases[index].keys.isEmpty,
                case .structure = self[id].kind
            else { return false }
            return contents[index].required.isEmpty
        }
        if vague.count > 1 {
            diagnostics.warn(
                .union,
                "Several alternatives have no required property; the first that can be decoded is used.",
                at: location
            )
        }
        union.cases = order.map { union.cases[$0] }
    }

    func isObject(_ type: TypeReference) -> Bool {
        switch type {
        case .declared(let id):
            switch self[id].kind {
            case .structure, .pending: true
            case .union(let union): union.cases.contains { isObject($0.type) }
            case .enumeration, .statusResult: false
            }
        case .dictionary, .known("JSONValue"): true
        default: false
        }
    }

    // MARK: Names of cases

    /// Returns 1 for a schema of an object, and 0 for others.
    private func kindGroup(_ schema: Schema) -> Int {
        let content = flattening.target(of: schema)?.content ?? schema.content
        return content.kinds == [.object] || !content.properties.isEmpty || !content.allOf.isEmpty ? 1 : 0
    }

    private func caseWords(
        _ alternative: Schema,
        _ content: Schema.Content,
        index: Int,
        _ objectWords: Words?
    ) -> (words: Words, isReference: Bool) {
        var reference = alternative
        if reference.content.reference == nil,
            let part = reference.content.allOf.first(where: { $0.content.reference != nil }),
            reference.content.title == nil
        {
            reference = part
        }
        if let id = reference.content.reference { return (Words(of: id.name), true) }
        if let title = alternative.content.title, title.count <= 40, !Words(of: title).isEmpty {
            return (Words(of: title), false)
        }
        for property in content.properties {
            if content.required.contains(property.name), let values = constants(of: property.name, content),
                values.count == 1
            {
                let words = Words(of: values[0])
                if !words.isEmpty { return (words, false) }
            }
        }
        switch content.kinds.first {
        case .string:
            return (
                Words([content.format == "date-time" ? "date" : content.format == "uuid" ? "uuid" : "string"]), false
            )
        case .integer: return (Words(["integer"]), false)
        case .number: return (Words(["number"]), false)
        case .boolean: return (Words(["bool"]), false)
        case .array:
            if let id = content.items?.content.reference { return (Words(of: id.name) + Words(["list"]), false) }
            if let kind = content.items?.content.kinds.first { return (Words([kind.rawValue + "s"]), false) }
            return (Words(["array"]), false)
        default: break
        }
        if let objectWords, kindGroup(alternative) == 1 { return (objectWords, false) }
        let names = content.properties.filter { content.required.contains($0.name) }.map(\.name)
        if names.count == 1, let name = names.first { return (Words(of: name), false) }
        return (Words(["option", "\(index + 1)"]), false)
    }

    /// Returns the words at the begin and at the end of all names, which the names of cases leave out.
    private func commonWords(of alternatives: [Schema]) -> Words {
        let names = alternatives.compactMap { $0.content.reference.map { Words(of: $0.name).all } }
        guard names.count > 1, let first = names.first else { return Words([]) }
        let prefix = first.indices.prefix { index in
            names.allSatisfy { $0.count > index + 1 && $0[index] == first[index] }
        }
        return Words(Array(first[..<(prefix.last.map { $0 + 1 } ?? 0)]))
    }

    private func trimmed(_ words: Words, _ prefix: Words) -> Words {
        let rest = words.all.starts(with: prefix.all) ? Array(words.all.dropFirst(prefix.all.count)) : words.all
        return rest.isEmpty || rest[0].first?.isNumber == true ? words : Words(rest)
    }
}
