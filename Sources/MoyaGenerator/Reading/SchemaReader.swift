/// Reads schemas, and those that they refer to.
struct SchemaReader {
    /// Whether a `$ref` hides the other members of its object, as in OpenAPI 3.0.
    let hasPlainReferences: Bool
    private(set) var schemas: [SchemaID: Schema] = [:]
    private(set) var diagnostics = DiagnosticList()
    private var pending: [DocumentCursor] = []
    private var known: Set<SchemaID> = []

    init(hasPlainReferences: Bool) { self.hasPlainReferences = hasPlainReferences }

    /// Members of a schema that only describe it, which may be next to a reference.
    private static let annotations: Set = [
        "$ref", "$schema", "$id", "$comment", "$anchor", "title", "description", "summary", "default", "deprecated",
        "readOnly", "writeOnly", "example", "examples", "externalDocs", "xml", "nullable",
    ]

    /// Registers a schema that a reference names, and returns its identity.
    mutating func reference(_ cursor: DocumentCursor) -> SchemaID {
        if known.insert(cursor.schemaID).inserted { pending.append(cursor) }
        return cursor.schemaID
    }

    /// Reads all schemas that have been registered, with those that they refer to.
    mutating func readPending() {
        while let cursor = pending.popLast() { schemas[cursor.schemaID] = read(cursor) }
    }

    /// Returns the schema at a place.
    mutating func read(_ cursor: DocumentCursor) -> Schema {
        switch cursor.node.value {
        case .bool(let isAnything):
            var content = Schema.Content()
            content.isNever = !isAnything
            return Schema(content, at: cursor.location)
        case .object: break
        default:
            diagnostics.error(
                .structure,
                "A schema is an object, and not \(cursor.node.kindName).",
                at: cursor.location
            )
            return Schema(Schema.Content(), at: cursor.location)
        }
        guard cursor.referenceText != nil else { return Schema(readContent(cursor), at: cursor.location) }
        return readReference(cursor)
    }

    private mutating func readReference(_ cursor: DocumentCursor) -> Schema {
        let isAnnotated = (cursor.node.members?.all ?? []).allSatisfy {
            Self.annotations.contains($0.key) || $0.key.hasPrefix("x-")
        }
        var reference = Schema.Content()
        do throws(GeneratorFailure) {
            let target = try cursor.target(of: cursor.referenceText ?? "")
            reference.reference = self.reference(target)
        } catch {
            reportUnresolved(error, cursor)
            return Schema(Schema.Content(), at: cursor.location)
        }
        if hasPlainReferences || isAnnotated {
            readAnnotations(cursor, into: &reference)
            return Schema(reference, at: cursor.location)
        }
        var content = readContent(cursor)
        content.allOf.insert(Schema(reference, at: cursor.location), at: 0)
        return Schema(content, at: cursor.location)
    }

    /// Reports a reference without a target: an error, unless the target is remote, which only loses its type.
    private mutating func reportUnresolved(_ failure: GeneratorFailure, _ cursor: DocumentCursor) {
        guard cursor.referenceText?.contains("://") == true else { return diagnostics.add(failure.diagnostics) }
        diagnostics.warn(
            .reference,
            "The schema is remote, and only local files are read; any value is accepted.",
            at: cursor.location
        )
    }

    private mutating func readAnnotations(_ cursor: DocumentCursor, into content: inout Schema.Content) {
        content.title = cursor.text("title")
        content.description = cursor.text("description")
        content.isDeprecated = cursor["deprecated"]?.node.bool ?? false
        content.isReadOnly = cursor["readOnly"]?.node.bool ?? false
        content.isWriteOnly = cursor["writeOnly"]?.node.bool ?? false
        content.isNullable = cursor["nullable"]?.node.bool ?? cursor["x-nullable"]?.node.bool ?? false
        content.defaultValue = cursor["default"]?.node
        content.examples = (cursor["example"].map { [$0.node] } ?? []) + (cursor["examples"]?.node.elements ?? [])
    }

    private mutating func readContent(_ cursor: DocumentCursor) -> Schema.Content {
        var content = Schema.Content()
        readAnnotations(cursor, into: &content)
        readKinds(cursor, into: &content)
        content.format = cursor.text("format")
        content.contentEncoding = cursor.text("contentEncoding")
        content.contentMediaType = cursor.text("contentMediaType")
        readEnumeration(cursor, into: &content)
        readMembers(cursor, into: &content)
        content.items = cursor["items"].flatMap { $0.node.elements == nil ? read($0) : nil }
        content.prefixItems = readList(cursor["prefixItems"]) + readList(cursor["items"])
        content.allOf = readList(cursor["allOf"])
        content.oneOf = readList(cursor["oneOf"])
        content.anyOf = readList(cursor["anyOf"])
        content.discriminator = readDiscriminator(cursor)
        return content
    }

    private mutating func readKinds(_ cursor: DocumentCursor, into content: inout Schema.Content) {
        guard let type = cursor["type"] else { return }
        for name in type.node.elements ?? [type.node] {
            guard let text = name.string, let kind = Schema.Kind(rawValue: text) else {
                // Generators of documents write types of other systems; the value is then checked by nothing.
                diagnostics.warn(.schema, "The type is unknown; any value is accepted.", at: type.location)
                continue
            }
            if kind == .null {
                content.isNullable = true
            } else if !content.kinds.contains(kind) {
                content.kinds.append(kind)
            }
        }
        if content.kinds.isEmpty, content.isNullable { content.kinds = [.null] }
    }

    private func readEnumeration(_ cursor: DocumentCursor, into content: inout Schema.Content) {
        if let values = cursor["enum"]?.node.elements {
            let present = values.filter { !$0.isNull }
            if present.count < values.count { content.isNullable = true }
            if !present.isEmpty { content.enumeration = present }
        }
        if let constant = cursor["const"]?.node {
            if constant.isNull { content.kinds = [.null] } else { content.constant = constant }
        }
        let names = cursor["x-enum-varnames"] ?? cursor["x-enumNames"] ?? cursor["x-enum-names"]
        content.enumerationNames = names?.node.elements?.compactMap(\.string) ?? []
        let descriptions = cursor["x-enum-descriptions"] ?? cursor["x-enumDescriptions"]
        content.enumerationDescriptions = descriptions?.node.elements?.compactMap(\.string) ?? []
    }

    private mutating func readMembers(_ cursor: DocumentCursor, into content: inout Schema.Content) {
        if let properties = cursor["properties"] {
            if properties.node.members == nil {
                diagnostics.error(.structure, "`properties` is an object.", at: properties.location)
            }
            content.properties = readProperties(properties)
        }
        // In documents of Swagger's time, `required: true` is next to a property.
        content.required = Set(cursor["required"]?.node.elements?.compactMap(\.string) ?? [])
        if let additional = cursor["additionalProperties"] {
            switch additional.node.value {
            case .bool(let isAllowed): content.additionalProperties = isAllowed ? .anything : .forbidden
            case .object(let members) where members.all.isEmpty: content.additionalProperties = .anything
            default: content.additionalProperties = .schema(read(additional))
            }
        } else if let patterns = cursor["patternProperties"]?.members.first {
            content.additionalProperties = .schema(read(patterns.value))
        }
    }

    /// Reads properties, which may be those of another object.
    private mutating func readProperties(_ cursor: DocumentCursor) -> [Schema.Property] {
        var properties: [Schema.Property] = []
        for (name, value) in cursor.members {
            if name == "$ref", value.node.string != nil {
                do throws(GeneratorFailure) {
                    let target = try cursor.resolved()
                    if target.schemaID != cursor.schemaID { properties += readProperties(target) }
                } catch {
                    diagnostics.add(error.diagnostics)
                }
            } else {
                properties.append(Schema.Property(name: name, schema: read(value)))
            }
        }
        return properties
    }

    private mutating func readList(_ cursor: DocumentCursor?) -> [Schema] {
        var schemas: [Schema] = []
        for element in cursor?.elements ?? [] { schemas.append(read(element)) }
        return schemas
    }

    private mutating func readDiscriminator(_ cursor: DocumentCursor) -> Schema.Discriminator? {
        guard let discriminator = cursor["discriminator"] else { return nil }
        guard let name = discriminator.text("propertyName") ?? discriminator.node.string else {
            diagnostics.warn(
                .union,
                "The discriminator has no `propertyName`, and is ignored.",
                at: discriminator.location
            )
            return nil
        }
        var mapping: [Schema.Discriminator.Entry] = []
        for (value, target) in discriminator["mapping"]?.members ?? [] {
            guard let text = target.node.string else { continue }
            // A value is a reference or the name of a schema.
            let reference =
                text.contains("/") || text.contains("#") || text.contains(".") ? text : "#/components/schemas/\(text)"
            do throws(GeneratorFailure) {
                let found = try target.target(of: reference)
                mapping.append(Schema.Discriminator.Entry(value: value, target: self.reference(found)))
            } catch {
                diagnostics.warn(.union, "The mapping names no schema, and is ignored.", at: target.location)
            }
        }
        return Schema.Discriminator(property: name, mapping: mapping)
    }
}

extension DocumentCursor {
    /// The text of a member, which may be in another file.
    func text(_ key: String) -> String? {
        guard let member = self[key] else { return nil }
        if member.referenceText != nil { return try? member.resolved().node.string }
        return member.node.scalarText
    }
}
