#if Macros
import SwiftSyntax

/// The structure of a type as written: one value, or a collection of values.
///
/// Optionals are ignored, because `nil` is omitted from a request.
indirect enum ValueShape {
    case single(TypeSyntax)
    case list(ValueShape)
    case dictionary(key: ValueShape, value: ValueShape)

    init(_ type: TypeSyntax) {
        if let optional = type.as(OptionalTypeSyntax.self) {
            self.init(optional.wrappedType)
        } else if let array = type.as(ArrayTypeSyntax.self) {
            self = .list(ValueShape(array.element))
        } else if let dictionary = type.as(DictionaryTypeSyntax.self) {
            self = .dictionary(key: ValueShape(dictionary.key), value: ValueShape(dictionary.value))
        } else if let tuple = type.as(TupleTypeSyntax.self), let only = tuple.elements.first,
            tuple.elements.count == 1
        {
            self.init(only.type)
        } else if let generic = Self.generic(type) {
            self.init(type, name: generic.name, arguments: generic.arguments)
        } else {
            self = .single(type)
        }
    }

    /// The types that are neither optionals nor collections.
    var elements: [TypeSyntax] {
        switch self {
        case .single(let type): [type]
        case .list(let element): element.elements
        case .dictionary(let key, let value): key.elements + value.elements
        }
    }

    /// Whether this is one value.
    var isSingle: Bool { if case .single = self { true } else { false } }

    /// Whether this is one value, or a list of single values.
    var isFlat: Bool {
        switch self {
        case .single: true
        case .list(let element): element.isSingle
        case .dictionary: false
        }
    }

    private init(_ type: TypeSyntax, name: String, arguments: [TypeSyntax]) {
        switch (name, arguments.count) {
        case ("Optional", 1): self.init(arguments[0])
        case ("Array", 1), ("ArraySlice", 1), ("ContiguousArray", 1), ("Set", 1): self = .list(Self(arguments[0]))
        case ("Dictionary", 2): self = .dictionary(key: Self(arguments[0]), value: Self(arguments[1]))
        default: self = .single(type)
        }
    }

    /// Returns the name and the arguments of a generic type, which may be qualified with the standard library.
    private static func generic(_ type: TypeSyntax) -> (name: String, arguments: [TypeSyntax])? {
        let name: String
        let clause: GenericArgumentClauseSyntax?
        if let simple = type.as(IdentifierTypeSyntax.self) {
            (name, clause) = (simple.name.text, simple.genericArgumentClause)
        } else if let member = type.as(MemberTypeSyntax.self), member.baseType.trimmedDescription == "Swift" {
            (name, clause) = (member.name.text, member.genericArgumentClause)
        } else {
            return nil
        }
        let arguments = clause?.arguments.compactMap { if case .type(let type) = $0.argument { type } else { nil } }
        return arguments.map { (name, $0) }
    }
}
#endif
