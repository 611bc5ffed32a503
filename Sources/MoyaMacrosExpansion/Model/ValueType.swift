#if Macros
import SwiftSyntax

/// A type as written in code.
struct ValueType {
    /// The text of the type.
    let text: String
    /// Whether the type is optional.
    let isOptional: Bool
    /// The type inside an optional, or the type itself, without the name of a known module.
    let wrapped: String
    /// The collections and elements that the type consists of.
    let shape: ValueShape

    init(_ type: TypeSyntax) {
        text = type.trimmedDescription
        shape = ValueShape(type.trimmed)
        if let optional = type.as(OptionalTypeSyntax.self) {
            isOptional = true
            wrapped = Self.withoutModule(optional.wrappedType.trimmedDescription)
        } else if let optional = type.as(IdentifierTypeSyntax.self)?.argument(of: ["Optional"]) {
            isOptional = true
            wrapped = Self.withoutModule(optional.trimmedDescription)
        } else {
            isOptional = false
            wrapped = Self.withoutModule(text)
        }
    }

    /// Whether the type, or that inside an optional, is `any` protocol.
    var isExistential: Bool { ["any ", "(any "].contains { wrapped.hasPrefix($0) } }

    /// Returns whether a type is one of the usual types with one text.
    static func hasOneText(_ type: TypeSyntax) -> Bool { usualTypes.contains(withoutModule(type.trimmedDescription)) }

    /// The usual types of values with one text.
    static let usualTypes: Set = [
        "String", "Substring", "Character", "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16",
        "UInt32",
        "UInt64", "Double", "Float", "Decimal", "Date", "UUID", "URL", "Data",
    ]

    /// Returns a type's name without the name of its module, if that is Swift, Foundation or a module of this package.
    static func withoutModule(_ text: String) -> String {
        for module in ["Swift.", "Foundation.", "Moya.", "MoyaHTTP.", "MoyaMacros."] where text.hasPrefix(module) {
            return String(text.dropFirst(module.count))
        }
        return text
    }
}

extension IdentifierTypeSyntax {
    /// Returns the single generic argument of a type with one of these names.
    func argument(of names: Set<String>) -> TypeSyntax? {
        names.contains(name.text) ? genericArgumentClause?.onlyType : nil
    }
}

extension GenericArgumentClauseSyntax {
    /// The argument, if there is exactly one and it is a type.
    var onlyType: TypeSyntax? {
        guard arguments.count == 1, case .type(let type)? = arguments.first?.argument else { return nil }
        return type
    }
}
#endif
