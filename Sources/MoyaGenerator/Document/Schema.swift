/// The place of a schema that references name.
package struct SchemaID: Hashable, Sendable {
    package var file: String
    package var pointer: String

    package init(file: String, pointer: String) { (self.file, self.pointer) = (file, pointer) }

    /// The last part of the pointer, or the name of a file that is a schema.
    package var name: String {
        guard let slash = pointer.lastIndex(of: "/") else {
            let name = file.split(separator: "/").last.map(String.init) ?? file
            return name.split(separator: ".").first.map(String.init) ?? name
        }
        return String(pointer[pointer.index(after: slash)...]).replacing("~1", with: "/").replacing("~0", with: "~")
    }
}

/// A schema of any version of OpenAPI.
package final class Schema: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case null, boolean, integer, number, string, array, object
    }

    package struct Property: Sendable {
        package var name: String
        package var schema: Schema
    }

    /// The schema of members without a declared name.
    package enum AdditionalProperties: Sendable {
        case unspecified
        case forbidden
        case anything
        case schema(Schema)
    }

    package struct Discriminator: Sendable {
        package struct Entry: Sendable {
            package var value: String
            package var target: SchemaID
        }

        package var property: String
        package var mapping: [Entry]
    }

    /// The members of a schema, which the reader fills.
    package struct Content: Sendable {
        /// The schema that this one stands for; the other members are annotations then.
        package var reference: SchemaID?
        /// Whether no value is valid.
        package var isNever = false
        package var kinds: [Kind] = []
        package var isNullable = false
        package var format: String?
        package var title: String?
        package var description: String?
        package var isDeprecated = false
        package var isReadOnly = false
        package var isWriteOnly = false
        /// The permitted values, without `null`.
        package var enumeration: [Node]?
        package var constant: Node?
        package var defaultValue: Node?
        package var examples: [Node] = []
        package var properties: [Property] = []
        package var required: Set<String> = []
        package var additionalProperties = AdditionalProperties.unspecified
        package var items: Schema?
        package var prefixItems: [Schema] = []
        package var allOf: [Schema] = []
        package var oneOf: [Schema] = []
        package var anyOf: [Schema] = []
        package var discriminator: Discriminator?
        package var contentEncoding: String?
        package var contentMediaType: String?
        /// The names of the enumeration's values, as extensions give them.
        package var enumerationNames: [String] = []
        /// The descriptions of the enumeration's values, as extensions give them.
        package var enumerationDescriptions: [String] = []

        package init() {}
    }

    package let content: Content
    package let location: SourceLocation

    package init(_ content: Content, at location: SourceLocation) {
        (self.content, self.location) = (content, location)
    }
}
