#if Macros
    /// A parameter of a method.
    struct Parameter {
        /// Where its value goes.
        enum Role: Equatable {
            /// Into the path or the query, as the template says.
            case template
            /// Into a header, as the attribute says.
            case headerTemplate
            case query, header, body, field, part
            /// Into a JSON object.
            case member
            /// The value is where a download goes.
            case destination
        }

        /// What it is called with, as it is written; `nil` for nothing.
        var label: String?
        /// The name, without backticks.
        var name: String
        /// Its type, without what marks it.
        var type: ValueType
        /// What stands before the type, such as `@escaping`.
        var typeAttributes: String
        var role: Role
        /// What it is called in the query, the form, the JSON object or among the headers.
        var wireName: String

        /// The name in code: in backticks where the language needs them.
        var code: String { name.asIdentifier }

        /// How it is declared in a method.
        var declaration: String {
            let names = label?.withoutBackticks == name ? code : "\(label ?? "_") \(code)"
            return "\(names): \(typeAttributes)\(type.text)"
        }

        /// How it is declared in a case.
        var payload: String { (label.map { "\($0): " } ?? "") + type.text }

        /// How it is handed on.
        var argument: String { (label.map { "\($0.asCallLabel): " } ?? "") + code }
    }
#endif
