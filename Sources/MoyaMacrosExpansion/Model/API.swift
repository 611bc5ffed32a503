#if Macros
    import SwiftSyntax

    /// A declared API, as far as code is made of it.
    struct API {
        enum BaseURL {
            /// A URL that was looked at.
            case checked(String)
            /// An expression that gives one.
            case expression(String)
        }

        /// The protocol's name, without backticks.
        var name: String
        /// `public`, `package`, `fileprivate`, `private`; empty for what is internal.
        var access: String
        /// Attributes that hold for what is made as well, such as `@available`.
        var attributes: [String]
        var baseURL: BaseURL
        var endpoints: [Endpoint]
        /// All names in the protocol: a generated name must not hide one of them.
        var writtenNames: Set<String>

        /// The access of the members of what is made: they can't be less visible than a protocol wants them.
        var memberAccess: String { ["public", "package"].contains(access) ? access + " " : "" }

        var protocolName: String { name.asIdentifier }
        var targetName: String { (name + "API").asIdentifier }
        var clientName: String { (name + "Client").asIdentifier }
        var mockName: String { (name + "Mock").asIdentifier }

        /// The name of the type of a mock's answers.
        var answersName: String { unused("Answers") }
        /// The name of the property that holds a literal base URL.
        var declaredBaseURLName: String { unused("declaredBaseURL") }

        /// The name, or one like it that is not in the protocol.
        private func unused(_ name: String) -> String { writtenNames.contains(name) ? unused(name + "_") : name }
    }
#endif
