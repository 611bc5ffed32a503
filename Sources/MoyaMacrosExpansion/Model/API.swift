#if Macros
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
    /// Whether the API is a part of composed APIs.
    var isPart = false
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

    /// The names of the protocol that composed APIs conform to, of its requirement, and of the type of the requirement.
    var part: PartNames { PartNames(protocolName: name) }

    /// The name of the type of a mock's handlers.
    var handlersName: String { unused("Handlers") }
    /// The name of the property that holds a literal base URL.
    var declaredBaseURLName: String { unused("declaredBaseURL") }

    /// The last argument of functions that encode a value as JSON, if the API has an encoder.
    var encoderArgument: String { encoder == nil ? "" : ", encoder: Self.apiEncoder" }

    /// Returns the name, with underscores appended if the protocol uses it.
    func unused(_ name: String) -> String { writtenNames.contains(name) ? unused(name + "_") : name }
}
#endif
