#if Macros
    // Mistakes in a method.
    extension Mistake {
        static func noMethod(_ name: String) -> Mistake {
            Mistake(id: "noMethod", message: "'\(name)' has no HTTP method: add @GET, @POST or another, with its path")
        }

        static let twoMethods = Mistake(id: "twoMethods", message: "an endpoint has only one HTTP method and one path")
        static let noLiteral = Mistake(id: "noLiteral", message: "this must be a text in quotes, without interpolation")
        static let invalidMethod = Mistake(
            id: "invalidMethod",
            message: "this is not an HTTP method: use letters, digits and !#$%&'*+-.^_`|~ (RFC 9110, section 5.6.2)"
        )

        static func notAsync(_ name: String) -> Mistake {
            Mistake(id: "notAsync", message: "'\(name)' sends a request: it must be 'async throws'")
        }

        static let foreignThrows = Mistake(
            id: "foreignThrows",
            message: "an endpoint throws MoyaError: write 'throws' or 'throws(MoyaError)'"
        )
        static let generic = Mistake(
            id: "generic",
            message: "an endpoint can't be generic: it becomes a case of an enum"
        )
        static let isStatic = Mistake(
            id: "isStatic",
            message: "an endpoint is called on a client: it can't be static"
        )
        static let isOperator = Mistake(id: "isOperator", message: "an endpoint can't be an operator: give it a name")
        static let tupleResult = Mistake(
            id: "tupleResult",
            message: "a tuple can't be decoded: declare a struct that is Decodable"
        )
        static let functionResult = Mistake(id: "functionResult", message: "a function can't be decoded")
        static let selfType = Mistake(
            id: "selfType",
            message: "an endpoint can't use 'Self', which differs in the client and in the mock: write a type's name"
        )
        static let implicitlyUnwrapped = Mistake(
            id: "implicitlyUnwrapped",
            message: "a value of an endpoint can't be implicitly unwrapped: make it optional with '?'"
        )

        static func unsupportedResult(_ kind: String) -> Mistake {
            Mistake(id: "unsupportedResult", message: "the result of an endpoint can't be '\(kind)'")
        }

        static func specialName(_ name: String) -> Mistake {
            Mistake(id: "specialName", message: "an endpoint can't be named '\(name)': every type has such a member")
        }

        /// A name in an expression that the generated target shadows.
        static func hiddenName(_ name: String) -> Mistake {
            Mistake(
                id: "hiddenName",
                message: "'\(name)' is a member of the generated target here: write the name of its type or module, too"
            )
        }

        static let mutating = Mistake(id: "mutating", message: "an endpoint can't be mutating")

        static func reserved(_ name: String) -> Mistake {
            Mistake(
                id: "reserved",
                message:
                    "the client, or the mock, has a property '\(name)': give the method another name, or a parameter"
            )
        }

        static func duplicateRoute(_ route: String) -> Mistake {
            Mistake(id: "duplicateRoute", message: "\(route) is declared twice")
        }

        static func sameCase(_ name: String) -> Mistake {
            Mistake(
                id: "sameCase",
                message: "several methods would have the case '\(name)': give them other names, or labels that differ"
            )
        }

        static func conflict(_ first: String, _ second: String) -> Mistake {
            Mistake(id: "conflict", message: "\(first) and \(second) exclude each other")
        }

        static func twice(_ name: String) -> Mistake { Mistake(id: "twice", message: "@\(name) is repeated") }

        static func methodTakesNoBody(_ attribute: String, _ method: String) -> Mistake {
            Mistake(id: "bodyNotAllowed", message: "\(method) sends no body, so \(attribute) has no effect")
        }

        static func methodTakesNoMultipart(_ method: String) -> Mistake {
            Mistake(
                id: "multipartNotAllowed",
                message: "a multipart form is sent with POST, PUT or PATCH, not with \(method)"
            )
        }

        static let noKeyPath = Mistake(
            id: "noKeyPath",
            message: "@KeyPath is for a decoded result: this one is not decoded"
        )

        static func noStream(_ types: String) -> Mistake {
            Mistake(id: "noStream", message: "a method with @Stream returns one of \(types)")
        }

        static let missingStream = Mistake(id: "missingStream", message: "a streamed result needs @Stream")
        static let downloadAnswer = Mistake(
            id: "downloadAnswer",
            message: "a download's body is in its file: the method must return nothing or Response"
        )
        static let noDestination = Mistake(
            id: "noDestination",
            message:
                "a download needs a parameter for where it goes: '@escaping DownloadDestination', or the file's 'URL'"
        )
        static let streamAndDownload = conflict("@Stream", "@Download")

        static func invalidHeaderName(_ name: String) -> Mistake {
            Mistake(
                id: "invalidHeaderName",
                message:
                    "'\(name)' is not a header name: use letters, digits and !#$%&'*+-.^_`|~ (RFC 9110, section 5.1)"
            )
        }

        static func invalidHeaderValue(_ name: String) -> Mistake {
            Mistake(
                id: "invalidHeaderValue",
                message: "the value of '\(name)' has a line break or another control character"
            )
        }

        static func duplicateHeader(_ name: String) -> Mistake {
            Mistake(id: "duplicateHeader", message: "the header '\(name)' is set twice")
        }
    }
#endif
