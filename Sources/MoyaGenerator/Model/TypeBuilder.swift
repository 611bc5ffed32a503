import MoyaCodeText

/// Builds the types of the code from schemas.
struct TypeBuilder {
    /// A type with the question whether `null` is a value.
    struct Use {
        var type: TypeReference
        var isNullable = false

        /// The type with an optional for `null`.
        var full: TypeReference { isNullable ? type.asOptional : type }
    }

    /// The place of a schema, from which its type gets a name.
    struct Context {
        var words: Words
        /// Words before the name, if another type has it.
        var qualifier = Words([])
        /// The tag of the operation.
        var tag = Words([])
        var parent: DeclarationID?
        /// The identity of a schema with a name.
        var id: SchemaID?
        /// The texts of the use of a schema, such as a property's.
        var documentation = Documentation()

        var use: OperationUse { OperationUse(operation: qualifier, tag: tag) }
    }

    let document: Document
    let configuration: Configuration
    var flattening: SchemaFlattening
    private(set) var declarations: [TypeDeclaration] = []
    /// The declarations of schemas without a name whose parts are being built, because a part may contain them again.
    private var open: [ObjectIdentifier: DeclarationID] = [:]
    /// The places of the alternatives whose types are being built.
    var openAlternatives: Set<SourceLocation> = []
    /// The number of schemas without a name, each in the one before, since the last one with a name.
    private var depth = 0
    /// The types that stand for declarations that turned out to be unnecessary.
    var aliases: [DeclarationID: TypeReference] = [:]
    var diagnostics = DiagnosticList()
    private var uses: [SchemaID: Use] = [:]
    private var inProgress: [SchemaID: DeclarationID?] = [:]
    /// The unions of types with names, by these types.
    var sharedUnions: [[TypeReference]: DeclarationID] = [:]
    /// The types of the errors of operations, by their structure.
    private var sharedErrors: [String: DeclarationID] = [:]
    /// The types of schemas without a name, of operations, that are equal.
    private var shared: [String: [(content: Enumeration, id: DeclarationID)]] = [:]
    /// The schemas that extend a schema with a discriminator.
    private let children: [SchemaID: [SchemaID]]

    init(document: Document, configuration: Configuration) {
        self.document = document
        self.configuration = configuration
        flattening = SchemaFlattening(schemas: document.schemas)
        children = Self.children(in: document)
    }

    subscript(id: DeclarationID) -> TypeDeclaration {
        get { declarations[id.index] }
        set { declarations[id.index] = newValue }
    }

    private static func children(in document: Document) -> [SchemaID: [SchemaID]] {
        var children: [SchemaID: [SchemaID]] = [:]
        for id in document.schemas.keys.sorted(by: { ($0.file, $0.pointer) < ($1.file, $1.pointer) }) {
            for part in document.schemas[id]?.content.allOf ?? [] {
                guard let base = part.content.reference,
                    document.schemas[base]?.content.discriminator != nil
                else { continue }
                children[base, default: []].append(id)
            }
        }
        return children
    }

    // MARK: References

    /// Returns the type of a schema.
    mutating func type(of schema: Schema, _ context: Context) -> Use {
        guard let id = schema.content.reference else { return inlineType(of: schema, context) }
        var use = namedType(id)
        use.isNullable = use.isNullable || schema.content.isNullable
        return use
    }

    /// Returns the type of a schema with a name.
    mutating func namedType(_ id: SchemaID) -> Use {
        if let use = uses[id] { return use }
        if let started = inProgress[id] {
            if let declaration = started { return Use(type: .declared(declaration)) }
            if let schema = document.schemas[id] {
                diagnostics.warn(
                    .schema,
                    "The schema contains itself; any value is accepted there.",
                    at: schema.location
                )
            }
            return Use(type: .json, isNullable: true)
        }
        guard let schema = document.schemas[id] else { return Use(type: .json, isNullable: true) }
        inProgress[id] = .some(nil)
        let use: Use
        let outerDepth = depth
        depth = 0
        defer { depth = outerDepth }
        if let target = schema.content.reference {
            use = namedType(target)
        } else {
            use = inlineType(of: schema, Context(words: Words(of: id.name), id: id))
        }
        inProgress[id] = nil
        uses[id] = use
        return use
    }

    // MARK: Schemas

    private mutating func inlineType(of schema: Schema, _ context: Context) -> Use {
        if let part = onlyPart(of: schema) {
            var use = type(of: part, context)
            use.isNullable = use.isNullable || schema.content.isNullable
            return use
        }
        let content = flattening.flatten(schema)
        if let declaration = open[ObjectIdentifier(schema)] {
            return Use(type: .declared(declaration), isNullable: content.isNullable)
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            diagnostics.warn(
                .schema,
                "The schema is nested too deeply; any value is accepted there.",
                at: schema.location
            )
            return Use(type: .json, isNullable: true)
        }
        let alternatives = content.alternatives.filter { !isNull($0) }
        let isNullable = content.isNullable || alternatives.count < content.alternatives.count
        let typed = alternatives.filter { !$0.content.isOnlyValidation }
        if !typed.isEmpty {
            var use = type(ofAlternatives: typed, content, schema, context)
            use.isNullable = use.isNullable || isNullable
            return use
        }
        if let id = context.id, content.discriminator != nil, let extensions = children[id], !extensions.isEmpty {
            return Use(type: polymorphicType(content, id, extensions, schema, context), isNullable: isNullable)
        }
        var use = plainType(content, schema, context)
        use.isNullable = use.isNullable || isNullable
        return use
    }

    /// Combined parts of schemas may contain themselves in forms that are never equal.
    private static let maximumDepth = 24

    /// Remembers the declaration of a schema while its parts are built.
    mutating func whileOpen<Value>(
        _ schema: Schema,
        _ id: DeclarationID,
        build: (inout TypeBuilder) -> Value
    ) -> Value {
        let key = ObjectIdentifier(schema)
        let outer = open.updateValue(id, forKey: key)
        let value = build(&self)
        open[key] = outer
        return value
    }

    /// Returns the only part of an `allOf` next to which nothing describes the type.
    private func onlyPart(of schema: Schema) -> Schema? {
        let parts = schema.content.allOf.filter { !$0.content.isUnspecific }
        guard parts.count == 1, schema.content.allOf.count == parts.count || parts[0].content.reference != nil else {
            return nil
        }
        var rest = schema.content
        rest.allOf = []
        if rest.kinds == [.object] { rest.kinds = [] }
        return rest.isUnspecific && rest.required.isEmpty && rest.discriminator == nil ? parts[0] : nil
    }

    private func isNull(_ schema: Schema) -> Bool { flattening.target(of: schema)?.content.isNull ?? false }

    private mutating func plainType(_ content: Schema.Content, _ schema: Schema, _ context: Context) -> Use {
        if content.isNever { return Use(type: .json, isNullable: true) }
        if let constant = content.constant {
            return Use(type: type(ofValues: [constant], content, schema, context))
        }
        if let values = content.enumeration {
            return Use(type: type(ofValues: values, content, schema, context))
        }
        let kinds = content.kinds.filter { $0 != .null }
        if kinds.count > 1 { return type(ofKinds: kinds, content, schema, context) }
        switch kinds.first {
        case .string: return Use(type: stringType(content))
        case .integer: return Use(type: integerType(content))
        case .number:
            return Use(
                type: configuration.formats[content.format ?? ""]
                    ?? (content.format == "decimal" ? .known("Decimal") : .double)
            )
        case .boolean: return Use(type: .bool)
        case .array: return Use(type: arrayType(content, schema, context))
        case .object: return Use(type: objectType(content, schema, context))
        case .null: return Use(type: .json, isNullable: true)
        case nil:
            if !content.properties.isEmpty || !content.additionalProperties.isUnspecified {
                return Use(type: objectType(content, schema, context))
            }
            if content.items != nil || !content.prefixItems.isEmpty {
                return Use(type: arrayType(content, schema, context))
            }
            if content.format != nil, content.format != "binary" || content.kinds.isEmpty {
                return Use(type: stringType(content))
            }
            return Use(type: .json, isNullable: content.kinds == [.null])
        }
    }

    private func stringType(_ content: Schema.Content) -> TypeReference {
        if let type = configuration.formats[content.format ?? ""] { return type }
        switch content.format {
        case "date-time": return .known("Date")
        case "date": return .known("CalendarDate")
        case "uuid": return .known("UUID")
        case "uri", "url": return .known("URL")
        case "byte": return .known("Data")
        case "decimal": return .string
        default: return content.contentEncoding == "base64" ? .known("Data") : .string
        }
    }

    private func integerType(_ content: Schema.Content) -> TypeReference {
        if let type = configuration.formats[content.format ?? ""] { return type }
        switch content.format {
        case "int64", "uint64": return .known("Int64")
        case "unix-time", "timestamp", "unixtime": return .known("UnixTime")
        default: return .int
        }
    }

    private mutating func arrayType(_ content: Schema.Content, _ schema: Schema, _ context: Context) -> TypeReference {
        if !content.prefixItems.isEmpty { return tupleType(content, schema, context) }
        guard let items = content.items else { return .array(.json) }
        let singular = context.words.singular
        let words = singular == context.words ? singular + Words(["item"]) : singular
        // A named list is the file of its elements, which have no other name.
        let element = type(
            of: items,
            Context(words: words, qualifier: context.qualifier, tag: context.tag, parent: context.parent)
        )
        return .array(element.full)
    }

    /// Returns an array for a list whose elements have types by their positions.
    private mutating func tupleType(_ content: Schema.Content, _ schema: Schema, _ context: Context) -> TypeReference {
        var types: [TypeReference] = []
        for (index, item) in content.prefixItems.enumerated() {
            let words = context.words.singular + Words(["element", "\(index + 1)"])
            types.append(
                type(
                    of: item,
                    Context(words: words, qualifier: context.qualifier, tag: context.tag, parent: context.parent)
                ).full
            )
        }
        if let first = types.first, types.allSatisfy({ $0 == first }) { return .array(first) }
        diagnostics.warn(
            .schema,
            "The elements have types by their positions; any values are accepted.",
            at: schema.location
        )
        return .array(.json)
    }

    private mutating func objectType(_ content: Schema.Content, _ schema: Schema, _ context: Context) -> TypeReference {
        guard content.properties.isEmpty else { return structureType(content, schema, context) }
        switch content.additionalProperties {
        case .schema(let values):
            let singular = context.words.singular
            let words = singular == context.words ? singular + Words(["value"]) : singular
            return .dictionary(
                type(
                    of: values,
                    Context(words: words, qualifier: context.qualifier, tag: context.tag, parent: context.parent)
                ).full
            )
        case .forbidden: return structureType(content, schema, context)
        case .anything, .unspecified: return .dictionary(.json)
        }
    }

    // MARK: Declarations

    /// Declares a type whose kind is added later, so that its parts can refer to it.
    mutating func declare(_ content: Schema.Content, at location: SourceLocation, _ context: Context) -> DeclarationID {
        let id = DeclarationID(index: declarations.count)
        let documentation = content.description.map { Documentation($0) } ?? context.documentation
        var declaration = TypeDeclaration(
            parent: context.parent,
            words: context.words,
            qualifier: context.qualifier,
            documentation: documentation,
            location: location
        )
        declaration.isDeprecated = context.id != nil && content.isDeprecated
        if let schema = context.id { declaration.givenName = configuration.types[schema.name] }
        if context.id == nil, context.parent == nil { declaration.uses = [context.use] }
        declarations.append(declaration)
        if let schema = context.id { inProgress[schema] = .some(id) }
        return id
    }

    private mutating func structureType(
        _ content: Schema.Content,
        _ schema: Schema,
        _ context: Context
    ) -> TypeReference {
        let id = declare(content, at: schema.location, context)
        let structure = whileOpen(schema, id) { $0.structure(content, schema, id, context) }
        self[id].kind = .structure(structure)
        return .declared(id)
    }

    private mutating func structure(
        _ content: Schema.Content,
        _ schema: Schema,
        _ id: DeclarationID,
        _ context: Context
    ) -> Structure {
        var structure = Structure()
        var names = UniqueNames(reserved: ["additionalproperties"])
        for property in content.properties where !isForbidden(property.schema) {
            structure.properties.append(self.property(property, content, of: id, context, &names))
        }
        for name in undescribedMembers(content) {
            diagnostics.warn(
                .schema,
                "The required member \"\(name)\" has no schema; it is an optional `JSONValue`.",
                at: schema.location
            )
            let anything = Schema.Property(name: name, schema: Schema(Schema.Content(), at: schema.location))
            var property = self.property(anything, content, of: id, context, &names)
            property.isRequired = false
            structure.properties.append(property)
        }
        if case .schema(let values) = content.additionalProperties {
            let use = type(of: values, Context(words: context.words.singular + Words(["value"]), parent: id))
            structure.additional = use.full
        }
        return structure
    }

    /// Returns the names of required members that have no schema, which requests may need though.
    private func undescribedMembers(_ content: Schema.Content) -> [String] {
        switch content.additionalProperties {
        case .forbidden, .schema: return []
        case .anything, .unspecified: return content.required.subtracting(content.properties.map(\.name)).sorted()
        }
    }

    private func isForbidden(_ schema: Schema) -> Bool { flattening.target(of: schema)?.content.isNever ?? false }

    private mutating func property(
        _ property: Schema.Property,
        _ content: Schema.Content,
        of id: DeclarationID,
        _ context: Context,
        _ names: inout UniqueNames
    ) -> Structure.Property {
        let words = Words(of: property.name)
        let details = flattening.flatten(property.schema)
        let documentation = Documentation(
            property.schema.content.description
                ?? (property.schema.content.reference == nil ? details.description : nil)
        )
        let use = type(of: property.schema, Context(words: words, parent: id, documentation: documentation))
        let given = context.id.flatMap { configuration.properties["\($0.name).\(property.name)"] }
        let base = configuration.naming.value(words)
        let name = names.take([given ?? ReservedNames.members[base] ?? base])
        let isRequired = content.required.contains(property.name)
        let literal = details.defaultValue.flatMap { self.literal(of: $0, use.type) }
        var initialValue: String?
        if isRequired, !use.isNullable {
            let constant = details.constant ?? (details.enumeration?.count == 1 ? details.enumeration?.first : nil)
            initialValue = constant.flatMap { self.literal(of: $0, use.type) } ?? literal
        }
        return Structure.Property(
            wireName: property.name,
            name: name,
            type: use.type,
            initialValue: initialValue,
            documentation: documentation,
            isDeprecated: property.schema.content.isDeprecated,
            isRequired: isRequired,
            isNullable: use.isNullable,
            isReadOnly: details.isReadOnly,
            isWriteOnly: details.isWriteOnly,
            serverDefault: isRequired ? nil : details.defaultText
        )
    }

    /// Returns the only text that a schema accepts.
    func constantText(_ content: Schema.Content) -> String? {
        if let constant = content.constant { return constant.string }
        guard let values = content.enumeration, values.count == 1 else { return nil }
        return values[0].string
    }

    /// Returns the literal of a default, if its type is simple.
    func literal(of value: Node, _ type: TypeReference) -> String? {
        switch (value.value, type) {
        case (.bool(let flag), .known("Bool")): return flag ? "true" : "false"
        case (.number(let text), .known("Int")), (.number(let text), .known("Int64")):
            return Int64(text).map { "\($0)" }
        case (.number(let text), .known("Double")): return Double(text).map { "\($0)" }
        case (.string(let text), .known("String")): return SwiftText.literal(text)
        case (.string(let text), .declared(let id)):
            guard case .enumeration(let enumeration) = self[id].kind else { return nil }
            return enumeration.cases.first { $0.wireText == text }.map { ".\(ReservedNames.escaped($0.name))" }
        case (.array(let nodes), .array): return nodes.isEmpty ? "[]" : nil
        default: return nil
        }
    }

    // MARK: Enumerations

    private mutating func type(
        ofValues values: [Node],
        _ content: Schema.Content,
        _ schema: Schema,
        _ context: Context
    ) -> TypeReference {
        if values.allSatisfy({ $0.bool != nil }) { return .bool }
        if values.allSatisfy({ $0.string != nil }) {
            // Integers may be written as strings in the list of an integer's values.
            if content.kinds == [.integer], values.allSatisfy({ $0.string.flatMap { Int($0) } != nil }) {
                return integerType(content)
            }
            if values.count == 1 { return .string }
            return enumerationType(values.compactMap(\.string), content, schema, context)
        }
        let integers = values.compactMap { node -> Int? in
            if case .number(let text) = node.value { Int(text) } else { nil }
        }
        if integers.count == values.count {
            if content.kinds == [.string] {
                return enumerationType(integers.map(String.init), content, schema, context)
            }
            return integers.count == 1 || content.kinds == [.number]
                ? content.kinds == [.number] ? .double : integerType(content)
                : enumerationType(integers, content, schema, context)
        }
        if values.allSatisfy({ if case .number = $0.value { true } else { false } }) { return .double }
        if content.kinds == [.string], values.allSatisfy({ $0.scalarText != nil }) {
            return enumerationType(values.compactMap(\.scalarText), content, schema, context)
        }
        diagnostics.warn(
            .enumeration,
            "The enumeration has values of several kinds; any value is accepted.",
            at: schema.location
        )
        return .json
    }

    private mutating func enumerationType(
        _ values: [String],
        _ content: Schema.Content,
        _ schema: Schema,
        _ context: Context
    ) -> TypeReference {
        var names = UniqueNames(reserved: ["rawvalue", "hashvalue", "description", "hash", "encode", "self"])
        var seen: Set<String> = []
        var cases: [Enumeration.Case] = []
        for (index, value) in values.enumerated() where seen.insert(value).inserted {
            let given = context.id.flatMap { configuration.cases["\($0.name).\(value)"] }
            let hint = content.enumerationNames.indices.contains(index) ? content.enumerationNames[index] : nil
            let name = names.take([given ?? caseName(hint ?? value)])
            let description =
                content.enumerationDescriptions.indices.contains(index) ? content.enumerationDescriptions[index] : nil
            cases.append(
                Enumeration.Case(
                    name: name,
                    literal: SwiftText.literal(value),
                    wireText: value,
                    description: description
                )
            )
        }
        return declareEnumeration(Enumeration(rawType: .string, cases: cases), content, schema, context)
    }

    private mutating func enumerationType(
        _ values: [Int],
        _ content: Schema.Content,
        _ schema: Schema,
        _ context: Context
    ) -> TypeReference {
        var names = UniqueNames(reserved: ["rawvalue", "hashvalue", "description", "hash", "encode", "self"])
        var seen: Set<Int> = []
        var cases: [Enumeration.Case] = []
        for (index, value) in values.enumerated() where seen.insert(value).inserted {
            let hint = content.enumerationNames.indices.contains(index) ? content.enumerationNames[index] : nil
            let fallback = value < 0 ? "minus\(value.magnitude)" : "value\(value)"
            let name = names.take([hint.map(caseName) ?? fallback])
            let description =
                content.enumerationDescriptions.indices.contains(index) ? content.enumerationDescriptions[index] : nil
            cases.append(
                Enumeration.Case(name: name, literal: "\(value)", wireText: "\(value)", description: description)
            )
        }
        return declareEnumeration(Enumeration(rawType: integerType(content), cases: cases), content, schema, context)
    }

    func caseName(_ value: String) -> String {
        if value.isEmpty { return "empty" }
        // Words in capitals are not acronyms.
        let text = value.contains(where: \.isLowercase) ? value : value.lowercased()
        let words = Words(of: text)
        if words.isEmpty { return "value" }
        let name = configuration.naming.value(words)
        let plain = name.hasPrefix("_") ? "value" + name.dropFirst() : name
        return ReservedNames.members[plain] ?? plain
    }

    /// Declares an enumeration; equal enumerations of operations' parameters are one type.
    private mutating func declareEnumeration(
        _ enumeration: Enumeration,
        _ content: Schema.Content,
        _ schema: Schema,
        _ context: Context
    ) -> TypeReference {
        let isShared = context.id == nil && context.parent == nil
        let key = context.words.all.joined(separator: " ")
        if isShared, let known = shared[key]?.first(where: { $0.content == enumeration }) {
            self[known.id].uses.append(context.use)
            return .declared(known.id)
        }
        let id = declare(content, at: schema.location, context)
        self[id].kind = .enumeration(enumeration)
        if isShared { shared[key, default: []].append((enumeration, id)) }
        return .declared(id)
    }

    /// Declares the result of an operation that depends on the status.
    mutating func declare(_ result: StatusResult, at location: SourceLocation, _ context: Context) -> DeclarationID {
        let id = declare(Schema.Content(), at: location, context)
        self[id].kind = .statusResult(result)
        return id
    }

    // MARK: Sharing

    /// Returns the type of an error, which is that of an equal one.
    mutating func errorType(of schema: Schema, _ context: Context) -> Use {
        let use = type(of: schema, context)
        guard schema.content.reference == nil, case .declared(let id) = use.type, self[id].parent == nil,
            aliases[id] == nil
        else { return use }
        let key = fingerprint(of: use.type, in: id)
        if let known = sharedErrors[key], known != id {
            aliases[id] = .declared(known)
            for index in declarations.indices where isInside(declarations[index], id) {
                declarations[index].kind = .pending
            }
            return Use(type: .declared(known), isNullable: use.isNullable)
        }
        sharedErrors[key] = id
        return use
    }

    private func isInside(_ declaration: TypeDeclaration, _ id: DeclarationID) -> Bool {
        var next = declaration.parent
        while let parent = next {
            if parent == id { return true }
            next = self[parent].parent
        }
        return false
    }

    /// Returns a text that is equal for types with equal structure.
    private func fingerprint(of type: TypeReference, in root: DeclarationID) -> String {
        switch type {
        case .known(let name): return name
        case .array(let element): return "[\(fingerprint(of: element, in: root))]"
        case .dictionary(let value): return "[:\(fingerprint(of: value, in: root))]"
        case .optional(let wrapped): return fingerprint(of: wrapped, in: root) + "?"
        case .generic(let name, let argument): return "\(name)<\(fingerprint(of: argument, in: root))>"
        case .declared(let id):
            guard id == root || isInside(self[id], root) else { return "#\(id.index)" }
            switch self[id].kind {
            case .structure(let structure):
                let properties = structure.properties.map {
                    "\($0.wireName):\(fingerprint(of: $0.type, in: root)):\($0.isRequired):\($0.isNullable)"
                }
                return "{\(properties.joined(separator: ","))}"
            case .enumeration(let enumeration): return "(\(enumeration.cases.map(\.literal).joined(separator: ",")))"
            case .union(let union):
                return "<\(union.cases.map { fingerprint(of: $0.type, in: root) }.joined(separator: "|"))>"
            case .statusResult, .pending: return "#\(id.index)"
            }
        }
    }
}
