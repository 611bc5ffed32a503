#if Macros
    import SwiftParser
    import SwiftSyntax

    /// A declared API, with everything that is needed to generate code.
    struct API {
        enum BaseURL {
            /// A URL that was checked.
            case checked(String)
            /// An expression of type `URL`.
            case expression(String)
        }

        /// The protocol's name, without backticks.
        var name: String
        /// `public`, `package`, `fileprivate` or `private`; empty for internal access.
        var access: String
        /// Attributes that the generated types get as well, such as `@available`.
        var attributes: [String]
        /// Whether the protocol is declared as `nonisolated`.
        var isNonisolated: Bool
        var baseURL: BaseURL
        /// An expression of type `JSONEncoder?`.
        var encoder: String?
        /// An expression of type `(any ResponseDecoder & Sendable)?`.
        var decoder: String?
        var endpoints: [Endpoint]
        /// All names in the protocol, which generated names must not shadow.
        var writtenNames: Set<String>

        /// The access of generated members, which must not be lower than the protocol requires.
        var memberAccess: String { ["public", "package"].contains(access) ? access + " " : "" }

        var protocolName: String { name.asIdentifier }
        var targetName: String { (name + "API").asIdentifier }
        var clientName: String { (name + "Client").asIdentifier }
        var mockName: String { (name + "Mock").asIdentifier }

        /// The name of the type of a mock's answers.
        var handlersName: String { unused("Handlers") }
        /// The name of the property that holds a literal base URL.
        var declaredBaseURLName: String { unused("declaredBaseURL") }

        /// The last argument of functions that encode a value as JSON, if the API has an encoder.
        var encoderArgument: String { encoder == nil ? "" : ", encoder: Self.apiEncoder" }

        /// Returns the name, with underscores appended if the protocol uses it.
        private func unused(_ name: String) -> String { writtenNames.contains(name) ? unused(name + "_") : name }
    }

    /// One method of a declared API.
    struct Endpoint {
        /// How the response is processed.
        enum Kind { case value, download, stream }

        /// How parameters are encoded in the body.
        enum Format { case json, form, multipart }

        /// The method's name, without backticks.
        var name: String
        /// The name of the endpoint's case: the method's, unless it is overloaded.
        var caseName: String
        /// The lines of the method's documentation.
        var documentation: [String]
        /// The method's attributes of other modules, and its modifiers.
        var specifiers: [String]
        /// The HTTP method, such as `GET`.
        var method: String
        var template: PathTemplate
        var parameters: [Parameter]
        var kind: Kind
        var format: Format
        var output: Output
        /// The declared result: an arrow and a type, or nothing.
        var arrow: String
        /// Whether the method throws `MoyaError` instead of any error.
        var throwsMoyaError: Bool
        /// The headers, with the pieces of their values.
        var headers: [Header]
        /// Additional arguments of `URLEncoding`.
        var urlStyle: String?
        /// An expression of type `AuthorizationType?`.
        var authorization: String?
        var keyPath: String?
        /// An expression of type `ValidationType`.
        var validation: String?
        /// An expression for the type of error bodies.
        var errorBody: String?
        /// An expression of type `TimeInterval?`.
        var timeout: String?
        /// An expression of type `URLRequest.CachePolicy`.
        var cachePolicy: String?
        var sample: Sample?

        func parameters(_ role: Parameter.Role) -> [Parameter] { parameters.filter { $0.role == role } }
    }

    /// A header whose value may contain parameters.
    struct Header {
        var name: String
        var value: [TemplatePiece]
    }

    /// The body of an endpoint's stub.
    enum Sample {
        /// A literal, as written.
        case text(String)
        /// An expression for a value.
        case value(String)
        /// A function of the parameters.
        case function(String)
    }

    /// The result type of a method.
    enum Output: Equatable {
        case nothing
        case response
        case data(isOptional: Bool)
        case text(isOptional: Bool)
        /// Any other type to be decoded, without its question mark.
        case value(String, isOptional: Bool)
        case stream(Stream)

        /// The types of a streamed result.
        enum Stream: String, CaseIterable {
            case sequence = "EventSequence"
            case serverSentEvents = "ServerSentEvents"
            case events = "StreamingEvents"
            case lines = "StreamingLines"
            case body = "StreamingBody"
            case response = "StreamingResponse"
        }

        /// Whether this is a stream that reconnects.
        var isReconnectingStream: Bool { self == .stream(.sequence) || self == .stream(.serverSentEvents) }

        init(_ type: TypeSyntax?) {
            guard let type, !["Void", "()", "Swift.Void"].contains(type.trimmedDescription) else {
                self = .nothing
                return
            }
            let value = ValueType(type)
            switch value.wrapped {
            case "Response" where !value.isOptional: self = .response
            case "Data": self = .data(isOptional: value.isOptional)
            case "String": self = .text(isOptional: value.isOptional)
            default:
                if let stream = Stream(rawValue: value.wrapped), !value.isOptional {
                    self = .stream(stream)
                } else if value.isOptional {
                    self = .value(Self.unwrapped(type), isOptional: true)
                } else {
                    self = .value(value.text, isOptional: false)
                }
            }
        }

        private static func unwrapped(_ type: TypeSyntax) -> String {
            (type.as(OptionalTypeSyntax.self)?.wrappedType
                ?? type.as(IdentifierTypeSyntax.self)?.argument(of: ["Optional"]) ?? type).trimmedDescription
        }
    }

    extension String {
        /// The name without backticks.
        var withoutBackticks: String {
            hasPrefix("`") && hasSuffix("`") && count > 2 ? String(dropFirst().dropLast()) : self
        }

        /// The text with its first letter in upper case.
        var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

        /// The name in code, with backticks if the language requires them.
        var asIdentifier: String {
            let isPlain = isValidSwiftIdentifier(for: .variableName) && !Self.expressionKeywords.contains(self)
            return isPlain ? self : "`\(self)`"
        }

        /// The name as an argument label, for which the compiler warns about unnecessary backticks.
        var asCallLabel: String {
            let name = withoutBackticks
            let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && name.first?.isNumber == false
            return isWord && name != "inout" ? name : "`\(name)`"
        }

        /// Words that are valid names, but have another meaning before an expression or a pattern.
        private static let expressionKeywords: Set = [
            "any", "async", "await", "borrow", "borrowing", "consume", "consuming", "copy", "discard", "each", "inout",
            "init", "isolated", "nonisolated", "repeat", "self", "sending", "some", "super", "then", "unsafe", "yield",
        ]
    }

    extension TokenSyntax {
        /// The token's text without backticks.
        var plainName: String { text.withoutBackticks }
    }
#endif
