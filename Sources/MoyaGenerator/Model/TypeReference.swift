/// The identity of a declared type, which gets its name after all types are known.
package struct DeclarationID: Hashable, Sendable, Comparable {
    package var index: Int

    package static func < (lhs: DeclarationID, rhs: DeclarationID) -> Bool { lhs.index < rhs.index }
}

/// A type as code uses it.
package indirect enum TypeReference: Hashable, Sendable {
    /// A type of Swift, Foundation or the files that come with the generated code.
    case known(String)
    case declared(DeclarationID)
    case array(TypeReference)
    case dictionary(TypeReference)
    case optional(TypeReference)
    /// A generic type of the files that come with the generated code.
    case generic(String, TypeReference)

    package static let string = TypeReference.known("String")
    package static let int = TypeReference.known("Int")
    package static let double = TypeReference.known("Double")
    package static let bool = TypeReference.known("Bool")
    package static let json = TypeReference.known("JSONValue")

    package var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    package var wrapped: TypeReference {
        if case .optional(let type) = self { type } else { self }
    }

    /// The type as an optional, which is never nested.
    package var asOptional: TypeReference { isOptional ? self : .optional(self) }

    /// The declared type that a value of this type contains without an array or a dictionary.
    package var contained: DeclarationID? {
        switch self {
        case .declared(let id): id
        case .optional(let type), .generic("Nullable", let type): type.contained
        case .known, .array, .dictionary, .generic: nil
        }
    }

    /// All declared types in this type.
    package var declarations: [DeclarationID] {
        switch self {
        case .known: []
        case .declared(let id): [id]
        case .array(let type), .dictionary(let type), .optional(let type), .generic(_, let type): type.declarations
        }
    }

    /// The names of the known and generic types in this type.
    package var knownNames: [String] {
        switch self {
        case .known(let name): [name]
        case .declared: []
        case .array(let type), .dictionary(let type), .optional(let type): type.knownNames
        case .generic(let name, let type): [name] + type.knownNames
        }
    }
}
