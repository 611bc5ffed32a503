/// A type that the generated code declares.
package struct TypeDeclaration: Sendable {
    package enum Kind: Sendable {
        case structure(Structure)
        case enumeration(Enumeration)
        case union(Union)
        case statusResult(StatusResult)
        /// A type whose kind is not known yet.
        case pending
    }

    /// The type that contains this one; `nil` for a type with a separate file.
    package var parent: DeclarationID?
    package var words: Words
    /// Words before the name, if another type has it.
    package var qualifier = Words([])
    /// The name that the configuration gives.
    package var givenName: String?
    package var documentation: Documentation
    package var isDeprecated = false
    package var kind = Kind.pending
    /// Whether the type describes the body of an error.
    package var isError = false
    package var usage: Usage = []
    /// The operations that use a type without a name in the document.
    package var uses: [OperationUse] = []
    package var location: SourceLocation
    /// The name, which is set after all types are known.
    package var name = ""
}

/// The directions in which values of a type are sent.
package struct Usage: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let request = Usage(rawValue: 1)
    package static let response = Usage(rawValue: 2)
    /// In the body of PATCH, in which `null` and a missing member have different meanings.
    package static let patch = Usage(rawValue: 4)
    package static let all: Usage = [.request, .response]
}

/// A text of a document for the comments of the code.
package struct Documentation: Sendable, Equatable {
    package var summary: String?
    package var details: String?

    package init(_ summary: String? = nil, details: String? = nil) {
        (self.summary, self.details) = (summary, details)
    }
}

package struct Structure: Sendable {
    package struct Property: Sendable {
        package var wireName: String
        package var name: String
        package var type: TypeReference
        /// The literal of the initial value.
        package var initialValue: String?
        package var documentation: Documentation
        package var isDeprecated: Bool
        package var isRequired: Bool
        package var isNullable: Bool
        package var isReadOnly: Bool
        package var isWriteOnly: Bool
        /// The literal of the default that the server assumes.
        package var serverDefault: String?
        /// Whether the value is stored elsewhere, because a value cannot contain itself.
        package var isIndirect = false
        /// Whether `nil` is sent as `null`.
        package var encodesNull = false
    }

    package var properties: [Property] = []
    /// The type of members without a declared name.
    package var additional: TypeReference?
}

/// An enumeration that keeps values that its document does not list.
package struct Enumeration: Sendable, Equatable {
    package struct Case: Sendable, Equatable {
        package var name: String
        /// The literal of the value.
        package var literal: String
        package var wireText: String
        package var description: String?
    }

    package var rawType: TypeReference
    package var cases: [Case]
}

/// One of several types.
package struct Union: Sendable {
    package struct Case: Sendable {
        package var name: String
        package var type: TypeReference
        /// The values of the discriminator, or the constants of the property that distinguishes the types.
        package var tags: [String] = []
        /// Whether a value may lack the property that has the tags.
        package var hasOptionalTag = false
        /// Properties of which a value of this type, and only of this type, has one.
        package var keys: [String] = []
    }

    package var cases: [Case]
    /// The property whose value selects the type.
    package var discriminator: String?
    package var isIndirect = false
    /// Whether a value of no known type is kept.
    package var isOpen: Bool
}

/// The result of an operation that depends on the status.
package struct StatusResult: Sendable {
    package struct Case: Sendable {
        package var name: String
        package var statuses: ClosedRange<Int>
        /// The value; `nil` for a response without a body.
        package var type: TypeReference?
    }

    package var cases: [Case]
}

/// The words of an operation and its tag.
package struct OperationUse: Sendable, Hashable {
    package var operation: Words
    package var tag: Words
}
