#if Macros
// These diagnostics report mistakes in a method.
extension MacroDiagnostic {
    static func noMethod(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "noMethod",
            message: "'\(name)' has no HTTP method: add @GET, @POST or another, with its path"
        )
    }

    static let twoMethods = MacroDiagnostic(
        id: "twoMethods",
        message: "an endpoint has only one HTTP method and one path"
    )
    static func noPath(_ attribute: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "noPath",
            message:
                "@\(attribute) needs a path, unless a parameter is the RequestURL; an empty path is the base URL itself"
        )
    }

    static let noLiteral = MacroDiagnostic(
        id: "noLiteral",
        message: "this must be a text in quotes, without interpolation"
    )
    static let invalidMethod = MacroDiagnostic(
        id: "invalidMethod",
        message: "this is not an HTTP method: use letters, digits and !#$%&'*+-.^_`|~ (RFC 9110, section 5.6.2)"
    )

    static func notAsync(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "notAsync", message: "'\(name)' sends a request: it must be 'async throws'")
    }

    static let foreignThrows = MacroDiagnostic(
        id: "foreignThrows",
        message: "an endpoint throws MoyaError: write 'throws' or 'throws(MoyaError)'"
    )
    static let generic = MacroDiagnostic(
        id: "generic",
        message: "an endpoint can't be generic: it becomes a case of an enum"
    )
    static let isStatic = MacroDiagnostic(
        id: "isStatic",
        message: "an endpoint is called on a client: it can't be static"
    )
    static let isOperator = MacroDiagnostic(
        id: "isOperator",
        message: "an endpoint can't be an operator: give it a name"
    )
    static let tupleResult = MacroDiagnostic(
        id: "tupleResult",
        message: "a tuple can't be decoded: declare a struct that is Decodable"
    )
    static func notDecodable(_ type: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "notDecodable",
            message: "'\(type)' can't be decoded: write the name of a type that is Decodable"
        )
    }

    static let functionResult = MacroDiagnostic(id: "functionResult", message: "a function can't be decoded")
    static let selfType = MacroDiagnostic(
        id: "selfType",
        message: "an endpoint can't use 'Self', which differs in the client and in the mock: write a type's name"
    )
    static let implicitlyUnwrapped = MacroDiagnostic(
        id: "implicitlyUnwrapped",
        message: "a value of an endpoint can't be implicitly unwrapped: make it optional with '?'"
    )

    static func unsupportedResult(_ kind: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "unsupportedResult", message: "the result of an endpoint can't be '\(kind)'")
    }

    static func specialName(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "specialName",
            message: "an endpoint can't be named '\(name)': every type has such a member"
        )
    }

    /// Reports a name in an expression that a member of a generated type shadows.
    static func hiddenName(_ name: String, in type: String = "target") -> MacroDiagnostic {
        MacroDiagnostic(
            id: "hiddenName",
            message:
                "'\(name)' is a member of the generated \(type) here: write the name of its type or module, too"
        )
    }

    static let timeoutNotPositive = MacroDiagnostic(
        id: "timeoutNotPositive",
        message: "a timeout is a positive number of seconds; 'nil' selects the session's timeout"
    )

    static let durationNotPositive = MacroDiagnostic(
        id: "durationNotPositive",
        message: "a timeout is a positive duration; 'nil' selects that of the provider or the session"
    )
    static let emptyTimeout = MacroDiagnostic(
        id: "emptyTimeout",
        message: "@Timeout needs a time: seconds without any byte, or a labeled duration such as 'total: .seconds(30)'"
    )

    static func alreadyIdempotent(_ method: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "alreadyIdempotent",
            message: "\(method) is idempotent, so its requests need no key"
        )
    }

    static func noCoder(_ attribute: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "noCoder", message: "@\(attribute) needs an encoder or a decoder")
    }

    static let unusedEncoder = MacroDiagnostic(
        id: "unusedEncoder",
        message: "this method has no body that an encoder writes"
    )
    static let unusedDecoder = MacroDiagnostic(
        id: "unusedDecoder",
        message: "this method has no result and no error body that a decoder reads"
    )
    static let noStatusResult = MacroDiagnostic(
        id: "noStatusResult",
        message: "a method with @ByStatus returns an enum with @StatusResult"
    )
    static let endWithoutEvents = MacroDiagnostic(
        id: "endWithoutEvents",
        message: "the data of the last event is for a result of the type 'DecodedEvents<Value>'"
    )

    static func secondErrorBody(_ statuses: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "secondErrorBody", message: "the status \(statuses) already has an error body")
    }

    static let mutating = MacroDiagnostic(id: "mutating", message: "an endpoint can't be mutating")

    static func reserved(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "reserved",
            message:
                "the client, or the mock, has a property '\(name)': give the method another name, or a parameter"
        )
    }

    static func sameCase(_ name: String, of method: String, and other: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "sameCase",
            message:
                "'\(method)' and '\(other)' would both have the case '\(name)': rename one of them, or a label"
        )
    }

    static func conflict(_ first: String, _ second: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "conflict", message: "\(first) and \(second) exclude each other")
    }

    static func repeatedAttribute(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "twice", message: "@\(name) is repeated")
    }

    static func methodTakesNoBody(_ attribute: String, _ method: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "bodyNotAllowed", message: "\(method) sends no body, so \(attribute) has no effect")
    }

    static func methodTakesNoMultipart(_ method: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "multipartNotAllowed",
            message: "a multipart form is sent with POST, PUT or PATCH, not with \(method)"
        )
    }

    static let noKeyPath = MacroDiagnostic(
        id: "noKeyPath",
        message: "@KeyPath is for a decoded result: this one is not decoded"
    )

    static func noStream(_ types: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "noStream", message: "a method with @Stream returns one of \(types)")
    }

    static let missingStream = MacroDiagnostic(id: "missingStream", message: "a streamed result needs @Stream")
    static let noWebSocket = MacroDiagnostic(
        id: "noWebSocket",
        message: "a method with @WebSocket returns 'WebSocket' or 'ReconnectingWebSocket'"
    )
    static let missingWebSocket = MacroDiagnostic(
        id: "missingWebSocket",
        message: "a WebSocket needs @WebSocket with its path, in place of the HTTP method"
    )
    static let unusedReconnection = MacroDiagnostic(
        id: "unusedReconnection",
        message: "a 'WebSocket' has one connection: 'reconnection' is for a method that returns 'ReconnectingWebSocket'"
    )
    static let noPages = MacroDiagnostic(
        id: "noPages",
        message: "a method with @Paged returns 'PagedSequence<Item>'"
    )
    static let missingPaged = MacroDiagnostic(
        id: "missingPaged",
        message: "a list in pages needs @Paged with the way in which the server divides it, such as '@Paged(.link)'"
    )
    static let downloadOutput = MacroDiagnostic(
        id: "downloadOutput",
        message: "a download's body is in its file: the method must return nothing or Response"
    )
    static let noDestination = MacroDiagnostic(
        id: "noDestination",
        message:
            "a download needs a parameter for its destination: '@escaping DownloadDestination', or the file's 'URL'"
    )
    static let streamAndDownload = conflict("@Stream", "@Download")

    static func invalidHeaderName(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "invalidHeaderName",
            message:
                "'\(name)' is not a header name: use letters, digits and !#$%&'*+-.^_`|~ (RFC 9110, section 5.1)"
        )
    }

    static func invalidHeaderValue(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "invalidHeaderValue",
            message: "the value of '\(name)' has a line break or another control character"
        )
    }

    static func duplicateHeader(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "duplicateHeader", message: "the header '\(name)' is set twice")
    }
}
#endif
