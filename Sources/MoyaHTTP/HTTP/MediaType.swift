import Foundation

/// The media type of a `Content-Type` (RFC 9110, section 8.3), parsed leniently.
package struct MediaType: Equatable, Sendable {
    /// The text `type/subtype` in lowercase; empty if missing.
    package let name: String
    private let parameters: [String: String]

    package init(_ text: String) {
        name = Self.parts(of: text).first?.lowercased() ?? ""
        // The first of several parameters with the same name is used.
        parameters = Dictionary(Self.parameters(of: text), uniquingKeysWith: { first, _ in first })
    }

    /// Returns the parameters after a value, with lowercase names.
    static func parameters(of text: String) -> [(String, String)] {
        parts(of: text).dropFirst().compactMap { part in
            guard let equals = part.firstIndex(of: "=") else { return nil }
            let name = part[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
            return (name, unquoted(part[part.index(after: equals)...].trimmingCharacters(in: .whitespaces)))
        }
    }

    package var charset: String? { parameters["charset"]?.lowercased() }

    /// Whether text of this type is encoded in UTF-8.
    package var isUnicode: Bool { charset.map { ["utf-8", "utf8", "us-ascii", "ascii"].contains($0) } ?? true }

    package var isForm: Bool { name == "application/x-www-form-urlencoded" }

    package var isJSON: Bool { name == "application/json" || name.hasSuffix("+json") }

    package var isMultipart: Bool { name.hasPrefix("multipart/") }

    /// The boundary of a multipart type.
    package var multipartBoundary: String? {
        guard isMultipart, let boundary = parameters["boundary"], !boundary.isEmpty else { return nil }
        return boundary
    }

    /// Returns the text between semicolons, except for semicolons in quoted strings.
    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if scalar == ";", !isQuoted {
                parts.append("")
                continue
            }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && scalar == "\\" && !isEscaped
            parts[parts.count - 1].unicodeScalars.append(scalar)
        }
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func unquoted(_ value: String) -> String {
        guard value.hasPrefix("\"") else { return value }
        var result = ""
        var isEscaped = false
        for scalar in value.unicodeScalars.dropFirst() {
            if isEscaped || scalar != "\"" && scalar != "\\" {
                result.unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                break
            }
        }
        return result
    }
}
