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

        var name: String
        /// `public`, `package`, `fileprivate`, `private`; empty for what is internal.
        var access: String
        /// Attributes that hold for what is made as well, such as `@available`.
        var attributes: [String]
        var baseURL: BaseURL
        var endpoints: [Endpoint]

        /// The access of the members of what is made: they can't be less visible than a protocol wants them.
        var memberAccess: String { ["public", "package"].contains(access) ? access + " " : "" }

        var targetName: String { name + "API" }
        var clientName: String { name + "Client" }
        var mockName: String { name + "Mock" }
    }
#endif
