#if Macros
import SwiftSyntax

/// Generates declarations next to a method that compile only if its types can be sent and decoded.
///
/// So the compiler reports a type at the method, and not only in the target and the client.
struct TypeChecksWriter {
    let endpoint: Endpoint

    /// The name of the attribute whose arguments the compiler checks.
    static let attributeName = "MoyaGeneratedCheck"

    private struct Check {
        var comment: String
        var attribute: String?
        var type = "()"
    }

    /// Returns the declarations.
    ///
    /// - Parameter uniqueName: Returns a unique name that contains the given text.
    /// - Returns: The declarations.
    func texts(uniqueName: (String) -> String) -> [String] {
        let checks = endpoint.parameters.compactMap(check) + resultCheck
        return checks.enumerated().map { index, check in
            // The compiler's unique names are the same for overloaded methods, so the name has the signature.
            let name = uniqueName("check\(index)\(endpoint.signatureWords)")
            let attribute = check.attribute.map { "\($0)\n" } ?? ""
            return "// \(check.comment)\n\(attribute)typealias \(name) =\n    \(check.type)"
        }
    }

    private var resultCheck: [Check] {
        switch (endpoint.kind, endpoint.output) {
        case (.value, .value(let type, _)):
            let comment = "The result of '\(endpoint.name)' is decoded: its type must be Decodable."
            return [Check(comment: comment, type: "MoyaGenerated.DecodedResult<\(type)>")]
        case (.pages, .pages(let item)):
            let comment = "The items of '\(endpoint.name)' are decoded: their type must be Decodable and Sendable."
            return [Check(comment: comment, type: "MoyaGenerated.DecodedItem<\(item)>")]
        case (.stream, .decodedEvents(let item)), (.stream, .decodedLines(let item)):
            let comment = "The elements of '\(endpoint.name)' are decoded: their type must be Decodable and Sendable."
            return [Check(comment: comment, type: "MoyaGenerated.DecodedItem<\(item)>")]
        case (.value, .typedResponse(let type)):
            let comment = "The value of '\(endpoint.name)' is decoded: its type must be Decodable and Sendable."
            return [Check(comment: comment, type: "MoyaGenerated.DecodedItem<\(type)>")]
        case (.byStatus, .value(let type, _)):
            let comment = "The result of '\(endpoint.name)' depends on the status: its type must have @StatusResult."
            return [Check(comment: comment, type: "MoyaGenerated.ResultByStatus<\(type)>")]
        default: return []
        }
    }

    private func check(_ parameter: Parameter) -> Check? {
        switch parameter.role {
        case .destination, .requestURL: nil
        case .member, .body: jsonCheck(parameter)
        case .queryMap, .headerMap, .fieldMap: mapCheck(parameter)
        case .template, .headerTemplate, .query, .header, .field, .part: textCheck(parameter)
        }
    }

    private func jsonCheck(_ parameter: Parameter) -> Check? {
        // An existential type does not conform to Encodable, so it is not checked; the compiler opens its values.
        let isContent = parameter.role == .body && ["Data", "HTTPBody", "URL"].contains(parameter.type.wrapped)
        guard !parameter.type.isExistential, !isContent else { return nil }
        return Check(
            comment: "'\(parameter.name)' is sent as JSON: its type must be Encodable and Sendable.",
            type: "MoyaGenerated.SentAsJSON<\(parameter.type.text)>"
        )
    }

    private func mapCheck(_ parameter: Parameter) -> Check? {
        guard case .single = parameter.type.shape else { return textCheck(parameter) }
        guard !parameter.type.isExistential else { return nil }
        return Check(
            comment: "The properties of '\(parameter.name)' are sent as text: its type must be Encodable and Sendable.",
            type: "MoyaGenerated.SentAsJSON<\(parameter.type.text)>"
        )
    }

    /// Returns the check that a type conforms to one of several protocols: it compiles if an overload of `sent` accepts the
    /// type.
    private func textCheck(_ parameter: Parameter) -> Check? {
        let types = parameter.type.shape.elements.filter { type in
            !type.is(SomeOrAnyTypeSyntax.self)
                && !Self.known.contains(ValueType.withoutModule(type.trimmedDescription))
        }
        guard !types.isEmpty else { return nil }
        let arguments = types.map { "MoyaGenerated.sent(\($0.trimmedDescription).self)" }
        return Check(
            comment:
                "'\(parameter.name)' is sent as text: its type must be Sendable, and Encodable or LosslessStringConvertible, or have a raw value.",
            attribute: "@\(Self.attributeName)(\(arguments.joined(separator: ", ")))"
        )
    }

    /// The usual types, which need no check, and `Any`, whose values are checked when they are sent.
    private static let known = ValueType.usualTypes.union(["Any", "HTTPBody", "MultipartFormData"])
}
#endif
