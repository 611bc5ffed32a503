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

        /// Whether its values are written in a query as they are.
        var isPlain: Bool { Self.plain.contains(element) }

        /// Whether its values can only be harmless in a path.
        var isHarmlessInPath: Bool { Self.harmless.contains(wrapped) }

        /// What an array of it holds, or itself.
        private var element: String {
            wrapped.hasPrefix("[") && wrapped.hasSuffix("]") ? String(wrapped.dropFirst().dropLast()) : wrapped
        }

        private static func withoutModule(_ text: String) -> String {
            for module in ["Swift.", "Foundation.", "Moya.", "MoyaHTTP.", "MoyaMacros."] where text.hasPrefix(module) {
                return String(text.dropFirst(module.count))
            }
            return text
        }

        private static let harmless: Set<String> = [
            "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Bool", "UUID",
        ]

        private static let plain = harmless.union(["String", "Double", "Float", "Data", "URL"])
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
