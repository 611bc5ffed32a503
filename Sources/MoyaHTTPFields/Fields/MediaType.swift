/// The media type of a `Content-Type` (RFC 9110, section 8.3), parsed leniently.
package struct MediaType: Equatable, Sendable {
    /// The text `type/subtype` in lowercase; empty if missing.
    package let name: String
    private let parameters: [String: String]

    package init(_ text: String) {
        let field = ParameterizedField(text)
        name = field.value.lowercased()
        // The first of several parameters with the same name is used.
        parameters = Dictionary(field.parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    package var charset: String? { parameters["charset"]?.lowercased() }

    /// Whether text of this type is encoded in UTF-8.
    package var isUnicode: Bool { charset.map { ["utf-8", "utf8", "us-ascii", "ascii"].contains($0) } ?? true }

    package var isForm: Bool { name == "application/x-www-form-urlencoded" }

    package var isJSON: Bool { name == "application/json" || name.hasSuffix("+json") }

    /// The boundary of a multipart type.
    package var multipartBoundary: String? {
        guard name.hasPrefix("multipart/"), let boundary = parameters["boundary"], !boundary.isEmpty else { return nil }
        return boundary
    }
}
