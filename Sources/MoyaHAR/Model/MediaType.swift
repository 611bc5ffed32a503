import Foundation

/// What a `Content-Type` says (RFC 9110, section 8.3), as far as it matters here. Pure, and lenient.
package struct MediaType: Equatable, Sendable {
    /// `type/subtype`, in lower case; empty if there is none.
    package let name: String
    private let parameters: [String: String]

    package init(_ text: String) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        name = parts.first?.lowercased() ?? ""
        parameters = parts.dropFirst().reduce(into: [:]) { parameters, part in
            guard let equals = part.firstIndex(of: "=") else { return }
            let value = part[part.index(after: equals)...].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            parameters[part[..<equals].lowercased()] = value
        }
    }

    var charset: String? { parameters["charset"]?.lowercased() }

    /// Whether texts in it are written in UTF-8.
    var isUnicode: Bool { charset.map { ["utf-8", "utf8", "us-ascii", "ascii"].contains($0) } ?? true }

    package var isForm: Bool { name == "application/x-www-form-urlencoded" }

    package var isJSON: Bool { name == "application/json" || name.hasSuffix("+json") }

    /// Of a multipart type.
    package var multipartBoundary: String? {
        guard name.hasPrefix("multipart/"), let boundary = parameters["boundary"], !boundary.isEmpty else { return nil }
        return boundary
    }
}
