#if Macros
    import SwiftSyntax

    /// A parameter of a method.
    struct Parameter {
        /// How the parameter's value is sent.
        enum Role: Equatable {
            /// In the path or the query, at its place in the template.
            case template
            /// In a header, at its place in the attribute.
            case headerTemplate
            case query, header, body, field, part
            /// In a JSON object.
            case member
            /// Not sent: the destination of a download.
            case destination
        }

        /// The argument label as written; `nil` for none.
        var label: String?
        /// The name, without backticks.
        var name: String
        /// The type without its marker.
        var type: ValueType
        /// The attributes of the type, such as `@escaping`.
        var typeAttributes: String
        var role: Role
        /// The name in the query, the form, the JSON object or the headers.
        var wireName: String
        /// An expression for the value in calls that omit the parameter.
        var defaultValue: String?

        /// The name in code, with backticks if the language requires them.
        var code: String { name.asIdentifier }

        /// The declaration in a method.
        var declaration: String {
            let names = label?.withoutBackticks == name ? code : "\(label ?? "_") \(code)"
            return "\(names): \(typeAttributes)\(type.text)" + (defaultValue.map { " = \($0)" } ?? "")
        }

        /// The declaration in a case.
        var payload: String { (label.map { "\($0): " } ?? "") + type.text }

        /// The argument that passes the parameter on.
        var argument: String { (label.map { "\($0.asCallLabel): " } ?? "") + code }
    }

    /// A type as written in code.
    struct ValueType {
        /// The text of the type.
        let text: String
        /// Whether the type is optional.
        let isOptional: Bool
        /// The type inside of an optional, without the name of one of this package's modules.
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

        /// Returns a type's name without the name of one of this package's modules.
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

    /// Derives names in requests from Swift names.
    enum WireNames {
        /// Returns a name in snake case: `perPage` becomes `per_page`.
        static func snakeCase(_ name: String) -> String { words(name).map { $0.lowercased() }.joined(separator: "_") }

        /// Returns a header name: `ifNoneMatch` becomes `If-None-Match`.
        static func header(_ name: String) -> String {
            words(name).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
        }

        /// Splits a name into words: `userURLPath` becomes `user`, `URL` and `Path`.
        private static func words(_ name: String) -> [String] {
            var words: [String] = []
            let characters = Array(name)
            for (index, character) in characters.enumerated() {
                let next = index + 1 < characters.count ? characters[index + 1] : nil
                let last = index > 0 ? characters[index - 1] : nil
                let begins =
                    character.isUppercase && last != nil
                    && (last?.isUppercase == false || next?.isLowercase == true)
                if words.isEmpty || begins || last == "_" { words.append("") }
                if character != "_" { words[words.count - 1].append(character) }
            }
            return words.filter { !$0.isEmpty }
        }
    }
#endif
