/// Creates parts of Swift code.
package enum SwiftText {
    /// Returns a string literal.
    package static func literal(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Returns a text escaped for a string literal: everything that could end the literal or the line, or that is invisible.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                default: result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
