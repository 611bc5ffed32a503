#if Macros
    import Foundation

    /// A client that ``API(_:keys:)`` has made.
    public protocol APIClient: Sendable {
        /// What can be asked for.
        associatedtype APITarget: TargetType

        /// Asks for it.
        var caller: APICaller<APITarget> { get }

        /// Makes a client.
        init(caller: APICaller<APITarget>)
    }

    extension APIClient {
        /// Makes a client over a provider of yours: with its plugins, stubs and session.
        ///
        /// - Parameters:
        ///   - provider: Sends the requests.
        ///   - decoder: Decodes the answers.
        public init(provider: MoyaProvider<APITarget>, decoder: any ResponseDecoder & Sendable = JSONDecoder()) {
            self.init(caller: APICaller(provider: provider, decoder: decoder))
        }

        /// Makes a client of the declared server, or of another one.
        ///
        ///     let client = GitHubClient(baseURL: staging, plugins: [logger])
        ///
        /// - Parameters:
        ///   - baseURL: The URL of another server than the declared one: for staging, or for tests.
        ///   - session: Sends the requests; one of its own if you give none.
        ///   - plugins: See and change requests and results.
        ///   - encoder: Encodes JSON bodies.
        ///   - decoder: Decodes the answers.
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
