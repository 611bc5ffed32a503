#if Macros
    import SwiftSyntax

    /// A type as it is written.
    struct ValueType {
        /// What is written.
        let text: String
        /// Whether it may be `nil`.
        let isOptional: Bool
        /// What it is if it is not `nil`; without the module's name, where that is one of ours.
        let wrapped: String

        init(_ type: TypeSyntax) {
            text = type.trimmedDescription
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

        private static func withoutModule(_ text: String) -> String {
            for module in ["Swift.", "Foundation.", "Moya.", "MoyaHTTP.", "MoyaMacros."] where text.hasPrefix(module) {
                return String(text.dropFirst(module.count))
            }
            return text
        }
    }

    extension IdentifierTypeSyntax {
        /// The one generic argument of a type with one of these names.
        func argument(of names: Set<String>) -> TypeSyntax? {
            names.contains(name.text) ? genericArgumentClause?.onlyType : nil
        }
    }

    extension GenericArgumentClauseSyntax {
        /// The argument, if there is one only and it is a type.
        var onlyType: TypeSyntax? {
            guard arguments.count == 1, case .type(let type)? = arguments.first?.argument else { return nil }
            return type
        }
    }
#endif
