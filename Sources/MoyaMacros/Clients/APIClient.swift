#if Macros
    import Foundation

    /// A client that ``API(_:keys:)`` generates.
    public protocol APIClient: Sendable {
        /// The target type with the API's requests.
        associatedtype APITarget: TargetType

        /// Sends the requests.
        var caller: APICaller<APITarget> { get }

        /// Creates a client.
        init(caller: APICaller<APITarget>)
    }

    extension APIClient {
        /// Creates a client that uses a custom provider, with its plugins, stubs and session.
        ///
        /// - Parameters:
        ///   - provider: Sends the requests.
        ///   - decoder: Decodes the responses.
        public init(provider: MoyaProvider<APITarget>, decoder: any ResponseDecoder & Sendable = JSONDecoder()) {
            self.init(caller: APICaller(provider: provider, decoder: decoder))
        }

        /// Creates a client of the declared server or another one.
        ///
        ///     let client = GitHubClient(baseURL: staging, plugins: [logger])
        ///
        /// - Parameters:
        ///   - baseURL: The URL of the server, such as one for staging or tests; `nil` for the declared one.
        ///   - session: Sends the requests; a new one by default.
        ///   - plugins: Observe and change requests and results.
        ///   - encoder: Encodes JSON bodies.
        ///   - decoder: Decodes the responses.
        public init(
            baseURL: URL? = nil,
            session: Session = MoyaProvider<APITarget>.defaultAlamofireSession(),
            plugins: [any PluginType] = [],
            encoder: JSONEncoder? = nil,
            decoder: any ResponseDecoder & Sendable = JSONDecoder()
        ) {
            let provider = MoyaProvider(
                endpointClosure: MoyaProvider<APITarget>.endpoints(at: baseURL, encoder: encoder),
                session: session,
                plugins: plugins
            )
            self.init(provider: provider, decoder: decoder)
        }

        /// Sends the requests.
        public var provider: MoyaProvider<APITarget> { caller.provider }
    }
#endif
