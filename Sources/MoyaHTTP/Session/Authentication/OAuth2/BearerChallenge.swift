/// What a `WWW-Authenticate` says about a bearer token (RFC 6750, section 3). Only as much as is needed here.
struct BearerChallenge: Equatable {
    /// The `error` of the first challenge of the scheme Bearer that has one.
    let error: String?

    /// - Parameter values: Those of all headers of that name.
    init(_ values: [String]) {
        error = values.lazy.compactMap { Self.error(in: $0) }.first
    }

    /// A header is a list of challenges, each a scheme and a list of parameters, all separated by commas
    /// (RFC 9110, section 11.6.1). So an element is a parameter, or a scheme with at most one behind it.
    private static func error(in value: String) -> String? {
        var isBearer = false
        for element in elements(of: value) {
            var parameter = element
            if let (scheme, rest) = schemeAndRest(of: element) {
                isBearer = scheme.lowercased() == "bearer"
                parameter = rest
            }
            guard isBearer, let equals = parameter.firstIndex(of: "="),
                parameter[..<equals].trimmed.lowercased() == "error"
            else { continue }
            return unquoted(parameter[parameter.index(after: equals)...].trimmed)
        }
        return nil
    }

    /// The parts between commas that are not within quotes.
    private static func elements(of value: String) -> [Substring] {
        var elements: [Substring] = []
        var start = value.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in value.unicodeScalars.indices {
            switch value.unicodeScalars[index] {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                elements.append(value[start..<index].trimmed)
                start = value.unicodeScalars.index(after: index)
            default: break
            }
        }
        elements.append(value[start...].trimmed)
        return elements
    }

    /// A token that no equals sign follows begins a challenge.
    private static func schemeAndRest(of element: Substring) -> (Substring, Substring)? {
        let scheme = element.prefix { $0 != " " && $0 != "\t" && $0 != "=" }
        let rest = element[scheme.endIndex...].trimmed
        return scheme.isEmpty || rest.first == "=" ? nil : (scheme, rest)
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.first == "\"" else { return String(text) }
        var result = ""
        var isEscaped = false
        for scalar in text.unicodeScalars.dropFirst() {
            if !isEscaped, scalar == "\"" { break }
            if !isEscaped, scalar == "\\" {
                isEscaped = true
            } else {
                result.unicodeScalars.append(scalar)
                isEscaped = false
            }
        }
        return result
    }
}

extension Substring {
    /// Without the white space that HTTP allows around things (RFC 9110, section 5.6.3).
    fileprivate var trimmed: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
