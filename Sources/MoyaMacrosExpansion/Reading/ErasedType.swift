#if Macros
import SwiftSyntax

/// Finds types that are never `Encodable` or `Decodable`, because they erase the type of the value.
enum ErasedType {
    /// Returns the first such type in a type, its elements, keys and values.
    ///
    /// - Parameters:
    ///   - type: The type of a parameter or of a result.
    ///   - sending: Whether the value is sent. Then it may be `any P`, which the compiler opens, but not a list of `any P`.
    /// - Returns: The type; `nil` if the type has none.
    static func find(in type: TypeSyntax, sending: Bool) -> TypeSyntax? {
        if let simple = type.as(IdentifierTypeSyntax.self) {
            if ["Any", "AnyObject"].contains(simple.name.text) { return type }
            let marker = ParameterReader.Marker(rawValue: simple.name.text)
            guard marker != nil || ["Optional", "Array", "Set", "Dictionary"].contains(simple.name.text) else {
                return nil
            }
            return simple.genericArgumentClause?.arguments.lazy.compactMap { argument in
                guard case .type(let type) = argument.argument else { return nil }
                return find(in: type, sending: sending && (marker != nil || simple.name.text == "Optional"))
            }.first
        }
        if let tuple = type.as(TupleTypeSyntax.self), let only = tuple.elements.first, tuple.elements.count == 1 {
            return find(in: only.type, sending: sending)
        }
        if let optional = type.as(OptionalTypeSyntax.self) {
            return find(in: optional.wrappedType, sending: sending)
        }
        if let array = type.as(ArrayTypeSyntax.self) { return find(in: array.element, sending: false) }
        if let dictionary = type.as(DictionaryTypeSyntax.self) {
            return find(in: dictionary.key, sending: false) ?? find(in: dictionary.value, sending: false)
        }
        let isExistential = type.as(SomeOrAnyTypeSyntax.self)?.someOrAnySpecifier.tokenKind == .keyword(.any)
        return type.is(MetatypeTypeSyntax.self) || isExistential && !sending ? type : nil
    }
}
#endif
