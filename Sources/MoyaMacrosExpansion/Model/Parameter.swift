#if Macros
/// A parameter of a method.
struct Parameter {
    /// How the parameter's value is sent.
    enum Role: Equatable {
        /// In the path or the query, at its place in the template.
        case template
        /// In a header, at its place in the attribute.
        case headerTemplate
        case query, header, body, field, part
        /// Several query items, headers or fields, whose names are those of the value's entries.
        case queryMap, headerMap, fieldMap
        /// The URL of the request.
        case requestURL
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
#endif
