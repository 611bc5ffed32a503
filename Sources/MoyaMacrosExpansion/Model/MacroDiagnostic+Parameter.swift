#if Macros
// These diagnostics report mistakes in a parameter, or in a path with parameters.
extension MacroDiagnostic {
    static func noParameter(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "noParameter", message: "there is no parameter '\(name)'")
    }

    static func unused(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "unused",
            message: "'\(name)' is not sent: name it in the path, or mark it as Query or Header"
        )
    }

    static let secondBody = MacroDiagnostic(id: "secondBody", message: "a request has one body")

    static func bodyNotAllowed(_ method: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "bodyNotAllowed", message: "\(method) sends no body")
    }

    static func needsForm(_ kind: String, _ attribute: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "needsForm", message: "a \(kind) needs @\(attribute)")
    }

    static func bodyInForm(_ attribute: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "bodyInForm", message: "with @\(attribute) the form is the body")
    }

    static let optionalInPath = MacroDiagnostic(
        id: "optionalInPath",
        message: "a parameter in the path can't be optional"
    )
    static let optionalInText = MacroDiagnostic(
        id: "optionalInText",
        message:
            "an optional parameter must be the whole value of the header, which is left out if the parameter is nil"
    )
    static func severalInPath(_ type: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "severalInPath",
            message: "'\(type)' can't be sent in a path, which has one text for a parameter: use a String"
        )
    }

    static func namesInHeader(_ type: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "namesInHeader",
            message: "'\(type)' can't be sent in a header, which is one text or a list of texts: use a String"
        )
    }

    static func mapHasNoNames(_ type: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "mapHasNoNames",
            message: "'\(type)' has no names for the entries of a map: use a dictionary, or a struct that is Encodable"
        )
    }

    static let pathWithRequestURL = MacroDiagnostic(
        id: "pathWithRequestURL",
        message: "a RequestURL replaces the path: write the method's attribute without a path"
    )
    static let secondRequestURL = MacroDiagnostic(id: "secondRequestURL", message: "a request has one URL")
    static let requestURLType = MacroDiagnostic(
        id: "requestURLType",
        message: "the URL of a request is a 'RequestURL<URL>' or a 'RequestURL<String>', and not optional"
    )

    static func contentOutsideOfParts(_ type: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "contentOutsideOfParts",
            message: "'\(type)' is content, not a text: it can be sent with @Multipart, or as the Body"
        )
    }

    /// Warns and does not fail, because the URL may be a web address, which is sent as text.
    static func urlAsText(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "urlAsText",
            message:
                "'\(name)' is sent as a text in JSON, which for a file is its path: add @Multipart or write Body to send the file, or take a String",
            severity: .warning
        )
    }

    /// Warns and does not fail, because a server may expect the number.
    static func dateAsNumber(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "dateAsNumber",
            message:
                "'\(name)' is sent as the number of seconds since 2001, the default of JSONEncoder: declare an encoder with another dateEncodingStrategy in @API or @JSON",
            severity: .warning
        )
    }

    static let duration = MacroDiagnostic(
        id: "duration",
        message: "a 'Duration' is encoded as two numbers for Swift only: take the seconds as a number"
    )

    static let markedTwice = MacroDiagnostic(
        id: "markedTwice",
        message: "this parameter is already used in the path or a header"
    )

    static func duplicateName(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "duplicateName", message: "another parameter is sent as '\(name)', too")
    }

    static let notEscaping = MacroDiagnostic(
        id: "notEscaping",
        message: "a destination is called after the call has begun: it must be '@escaping'"
    )
    static let destinationWithoutDownload = MacroDiagnostic(
        id: "destinationWithoutDownload",
        message: "a destination is for a method with @Download"
    )

    static func unsupportedParameter(_ kind: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "unsupportedParameter", message: "a parameter of an endpoint can't be \(kind)")
    }

    static let tupleParameter = MacroDiagnostic(
        id: "tupleParameter",
        message: "a tuple can't be sent: declare a struct that is Encodable"
    )
    static let functionParameter = MacroDiagnostic(
        id: "functionParameter",
        message: "a closure can't be sent: only a download has one, of the type '@escaping DownloadDestination'"
    )

    static func notEncodable(_ type: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "notEncodable",
            message: "'\(type)' can't be sent as JSON: write the name of a type that is Encodable"
        )
    }

    static func secondDefault(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "secondDefault", message: "'\(name)' already has a default")
    }

    static let namedSelf = MacroDiagnostic(
        id: "namedSelf",
        message: "a parameter of an endpoint can't be named 'self'"
    )

    static let noName = MacroDiagnostic(id: "noName", message: "a parameter of an endpoint needs a name")

    static func template(_ kind: TemplateParser.Problem.Kind) -> MacroDiagnostic {
        let message =
            switch kind {
            case .noSlash: "a path begins with '/'"
            case .unclosedBrace: "this '{' has no '}'"
            case .strayBrace: "this '}' has no '{'"
            case .badName(let name): "'{\(name)}' is not a parameter: write only its name between braces"
            case .badCharacter(let character):
                "a path can't have '\(character.isNewline ? "\\n" : String(character))' as it is: escape it as '\(character.escaped)'"
            case .badEscape: "after '%' two hexadecimal digits must follow; the character itself is '%25'"
            case .dotSegment: "'.' and '..' lead to another path: write that path"
            case .emptySegment: "this path segment is empty"
            case .colon(let name):
                "':\(name)' is sent as it is: write '{\(name)}' for the parameter, or '%3A\(name)' for a colon"
            case .fragment: "a fragment is not sent to a server"
            case .badQueryItem(let item): "'\(item)' is not a query item: write 'name=value' or 'name={parameter}'"
            case .duplicateItem(let name): "the query has '\(name)' twice"
            }
        return MacroDiagnostic(id: "template", message: message)
    }
}

extension Character {
    /// The percent-encoded character.
    var escaped: String {
        String(self).utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
#endif
