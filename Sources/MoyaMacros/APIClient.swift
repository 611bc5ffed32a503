#if Macros
import Foundation

/// A client that `@API` generates.
public protocol APIClient: Sendable {
    /// The target type with the API's requests.
    associatedtype APITarget: TargetType

    /// Sends the requests.
    var caller: APICaller<APITarget> { get }

    /// Creates a client.
    init(caller: APICaller<APITarget>)
}

/// The target type of an API, which `@API` generates.
public protocol APITargetType: TargetType, URLTemplateProviding {
    /// Encodes the JSON bodies of requests and stubs; `nil` for an encoder with default settings.
    static var apiEncoder: JSONEncoder? { get }

    /// Decodes the responses; `nil` for a `JSONDecoder` with default settings.
    static var apiDecoder: (any ResponseDecoder & Sendable)? { get }
}

extension APITargetType {
    /// No encoder; an encoder with default settings is used.
    public static var apiEncoder: JSONEncoder? { nil }

    /// No decoder; a decoder with default settings is used.
    public static var apiDecoder: (any ResponseDecoder & Sendable)? { nil }
}

extension APIClient {
    /// Creates a client that uses a custom provider, with its plugins, stubs and session.
    ///
    /// - Parameters:
    ///   - provider: Sends the requests.
    ///   - decoder: Decodes the responses; `nil` for the API's decoder.
    public init(provider: MoyaProvider<APITarget>, decoder: (any ResponseDecoder & Sendable)? = nil) {
        let declared = (APITarget.self as? any APITargetType.Type)?.apiDecoder
        self.init(caller: APICaller(provider: provider, decoder: decoder ?? declared ?? JSONDecoder()))
    }

    /// Creates a client of the declared server or of another one.
    ///
    ///     let client = GitHubClient(baseURL: staging, plugins: [logger])
    ///
    /// - Parameters:
    ///   - baseURL: The URL of the server, such as one for staging or tests; `nil` for the declared URL.
    ///   - session: Sends the requests; a new one by default.
    ///   - plugins: Observe and change requests and results.
    ///   - encoder: Encodes JSON bodies; `nil` for the API's encoder.
    ///   - decoder: Decodes the responses; `nil` for the API's decoder.
    public init(
        baseURL: URL? = nil,
        session: Session = MoyaProvider<APITarget>.defaultAlamofireSession(),
        plugins: [any PluginType] = [],
        encoder: JSONEncoder? = nil,
        decoder: (any ResponseDecoder & Sendable)? = nil
    ) {
        let declared = (APITarget.self as? any APITargetType.Type)?.apiEncoder
        let provider = MoyaProvider(
            endpointClosure: MoyaProvider<APITarget>.endpoints(at: baseURL, encoder: encoder, replacing: declared),
            session: session,
            plugins: plugins
        )
        self.init(provider: provider, decoder: decoder)
    }

    /// Sends the requests.
    public var provider: MoyaProvider<APITarget> { caller.provider }
}
#endif
