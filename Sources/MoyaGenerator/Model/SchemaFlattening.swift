/// Merges the parts of schemas, so that each is one set of members.
struct SchemaFlattening {
    let schemas: [SchemaID: Schema]
    private(set) var diagnostics = DiagnosticList()
    private var flattened: [SchemaID: Schema.Content] = [:]

    init(schemas: [SchemaID: Schema]) { self.schemas = schemas }

    /// Returns the schema at the end of references; `nil` for a reference to itself.
    func target(of schema: Schema) -> Schema? {
        var schema = schema
        var seen: Set<SchemaID> = []
        while let id = schema.content.reference {
            guard seen.insert(id).inserted, let next = schemas[id] else { return nil }
            schema = next
        }
        return schema
    }

    /// Returns the members of a schema and of its references and parts.
    mutating func flatten(_ schema: Schema) -> Schema.Content { flatten(schema, inside: []) }

    private mutating func flatten(_ schema: Schema, inside: Set<SchemaID>) -> Schema.Content {
        if let id = schema.content.reference {
            guard !inside.contains(id), let target = schemas[id] else { return Schema.Content() }
            var content = flattened[id] ?? flatten(target, inside: inside.union([id]))
            flattened[id] = content
            content.isNullable = content.isNullable || schema.content.isNullable
            content.isDeprecated = content.isDeprecated || schema.content.isDeprecated
            content.isReadOnly = content.isReadOnly || schema.content.isReadOnly
            content.isWriteOnly = content.isWriteOnly || schema.content.isWriteOnly
            content.description = schema.content.description ?? content.description
            content.defaultValue = schema.content.defaultValue ?? content.defaultValue
            return content
        }
        guard !schema.content.allOf.isEmpty else { return schema.content }
        var content = schema.content
        content.allOf = []
        let ownProperties = content.properties
        content.properties = []
        var areNullable = content.kinds.isEmpty
        for part in schema.content.allOf {
            var other = flatten(part, inside: inside)
            areNullable = areNullable && other.isNullable
            if other.discriminator != nil {
                // The part is the base of this schema, and its alternatives are the schemas that extend it.
                (other.discriminator, other.oneOf, other.anyOf) = (nil, [], [])
            }
            merge(other, into: &content, at: schema.location)
        }
        content.isNullable = content.isNullable || areNullable
        // The properties of the parts come first, as the parts do.
        for property in ownProperties { Self.add(property, to: &content.properties) }
        return content
    }

    private mutating func merge(
        _ other: Schema.Content,
        into content: inout Schema.Content,
        at location: SourceLocation
    ) {
        content.isNever = content.isNever || other.isNever
        content.kinds =
            content.kinds.isEmpty
            ? other.kinds : other.kinds.isEmpty ? content.kinds : content.kinds.filter { other.kinds.contains($0) }
        content.format = content.format ?? other.format
        content.title = content.title ?? other.title
        content.description = content.description ?? other.description
        content.isDeprecated = content.isDeprecated || other.isDeprecated
        content.isReadOnly = content.isReadOnly || other.isReadOnly
        content.isWriteOnly = content.isWriteOnly || other.isWriteOnly
        content.enumeration = content.enumeration ?? other.enumeration
        content.constant = content.constant ?? other.constant
        content.defaultValue = content.defaultValue ?? other.defaultValue
        content.required.formUnion(other.required)
        content.items = content.items ?? other.items
        if content.prefixItems.isEmpty { content.prefixItems = other.prefixItems }
        content.contentMediaType = content.contentMediaType ?? other.contentMediaType
        content.contentEncoding = content.contentEncoding ?? other.contentEncoding
        if content.enumerationNames.isEmpty { content.enumerationNames = other.enumerationNames }
        switch (content.additionalProperties, other.additionalProperties) {
        case (.unspecified, _), (_, .schema): content.additionalProperties = other.additionalProperties
        default: break
        }
        for property in other.properties { Self.add(property, to: &content.properties) }
        let (own, added) = (content.alternatives, other.alternatives)
        if own.isEmpty {
            (content.oneOf, content.anyOf) = (other.oneOf, other.anyOf)
        } else if !added.isEmpty, own.contains(where: { !$0.content.isOnlyValidation }) {
            // A value has one alternative of each list: all pairs are the alternatives.
            guard own.count * added.count <= 16 else {
                diagnostics.warn(
                    .union,
                    "Several lists of alternatives are combined; only the first list is used.",
                    at: location
                )
                return
            }
            content.oneOf = own.flatMap { left in
                added.map { right in
                    var pair = Schema.Content()
                    pair.allOf = [left, right]
                    return Schema(pair, at: left.location)
                }
            }
            content.anyOf = []
        } else if !added.isEmpty {
            (content.oneOf, content.anyOf) = (other.oneOf, other.anyOf)
        }
    }

    /// Adds a property, or makes an existing one more specific.
    private static func add(_ property: Schema.Property, to properties: inout [Schema.Property]) {
        guard let index = properties.firstIndex(where: { $0.name == property.name }) else {
            properties.append(property)
            return
        }
        let old = properties[index].schema
        if old.content.isUnspecific {
            properties[index] = property
        } else if !property.schema.content.isUnspecific {
            if let id = old.content.reference, id == property.schema.content.reference { return }
            if property.schema.content.isRefinement {
                properties[index] = property
            } else if !old.content.isObject {
                properties[index] = property
            } else {
                var both = Schema.Content()
                both.allOf = [old, property.schema]
                properties[index].schema = Schema(both, at: property.schema.location)
            }
        }
    }
}

extension Schema.Content {
    /// The alternatives of which a value has one or several.
    var alternatives: [Schema] { oneOf.isEmpty ? anyOf : oneOf }

    /// Whether the schema says nothing about the type of a value.
    var isUnspecific: Bool {
        reference == nil && kinds.isEmpty && enumeration == nil && constant == nil && properties.isEmpty
            && items == nil && prefixItems.isEmpty && allOf.isEmpty && oneOf.isEmpty && anyOf.isEmpty && !isNever
            && additionalProperties.isUnspecified && format == nil
    }

    /// Whether the schema only restricts values, such as by required properties.
    var isOnlyValidation: Bool {
        isUnspecific
            || (reference == nil && kinds == [.object] && properties.isEmpty && allOf.isEmpty && oneOf.isEmpty
                && anyOf.isEmpty && additionalProperties.isUnspecified && !required.isEmpty)
    }

    /// Whether the schema has fixed values.
    var isRefinement: Bool { enumeration != nil || constant != nil }

    var isObject: Bool { reference != nil || kinds == [.object] || !properties.isEmpty || !allOf.isEmpty }

    /// Whether `null` is the only value.
    var isNull: Bool { reference == nil && kinds == [.null] && enumeration == nil }
}

extension Schema.AdditionalProperties {
    var hasSchema: Bool {
        if case .schema = self { true } else { false }
    }

    var isUnspecified: Bool {
        if case .unspecified = self { true } else { false }
    }
}
