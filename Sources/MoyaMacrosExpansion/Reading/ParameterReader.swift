#if Macros
import SwiftSyntax

/// Reads the declaration of a parameter, before its role is known.
struct ParameterReader {
    /// The aliases that mark a parameter.
    enum Marker: String {
        case query = "Query"
        case header = "Header"
        case body = "Body"
        case field = "Field"
        case part = "Part"
        case queryMap = "QueryMap"
        case headerMap = "HeaderMap"
        case fieldMap = "FieldMap"
        case requestURL = "RequestURL"

        /// Whether the parameter is sent in the URL or in the headers, which every method has.
        var isInHead: Bool {
            switch self {
            case .query, .header, .queryMap, .headerMap, .requestURL: true
            case .body, .field, .part, .fieldMap: false
            }
        }
    }

    let syntax: FunctionParameterSyntax
    /// The name, without backticks.
    let name: String
    let label: String?
    let marker: Marker?
    let type: ValueType
    let typeAttributes: String
    /// The type as written, with its marker.
    let writtenType: TypeSyntax

    init(_ parameter: FunctionParameterSyntax) {
        syntax = parameter
        name = (parameter.secondName ?? parameter.firstName).plainName
        label = parameter.firstName.tokenKind == .wildcard ? nil : parameter.firstName.text
        let attributed = parameter.type.as(AttributedTypeSyntax.self)
        writtenType = attributed?.baseType ?? parameter.type
        let prefix =
            attributed.map { ($0.specifiers.trimmedDescription + " " + $0.attributes.trimmedDescription) } ?? ""
        typeAttributes = prefix.split(separator: " ").map { $0 + " " }.joined()
        (marker, type) = Self.marker(of: writtenType)
    }

    /// Whether the name is missing.
    var hasNoName: Bool { (syntax.secondName ?? syntax.firstName).tokenKind == .wildcard }

    /// Whether the type is the type of a download's destination.
    var isDestination: Bool { ["DownloadDestination", "DownloadRequest.Destination"].contains(type.wrapped) }

    private static func marker(of type: TypeSyntax) -> (Marker?, ValueType) {
        // Query<Int>? means Query<Int?>.
        if let optional = type.as(OptionalTypeSyntax.self), let (marker, inner) = marked(optional.wrappedType) {
            return (marker, ValueType(TypeSyntax(OptionalTypeSyntax(wrappedType: inner.trimmed))))
        }
        if let (marker, inner) = marked(type) { return (marker, ValueType(inner)) }
        return (nil, ValueType(type))
    }

    private static func marked(_ type: TypeSyntax) -> (Marker, TypeSyntax)? {
        if let simple = type.as(IdentifierTypeSyntax.self), let marker = Marker(rawValue: simple.name.text),
            let inner = simple.genericArgumentClause?.onlyType
        {
            return (marker, inner)
        }
        if let member = type.as(MemberTypeSyntax.self), member.baseType.trimmedDescription == "MoyaMacros",
            let marker = Marker(rawValue: member.name.text), let inner = member.genericArgumentClause?.onlyType
        {
            return (marker, inner)
        }
        return nil
    }
}
#endif
