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
public protocol APITargetType: TemplatedTargetType {
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

/// Sends the requests of a client of a declared API, and decodes their responses.
public struct APICaller<Target: TargetType>: Sendable {
    /// The type that the bodies of rejected responses decode as.
    public typealias ErrorBody = any (Decodable & Error & Sendable).Type

    /// Sends the requests.
    public let provider: MoyaProvider<Target>
    /// Decodes the responses.
    public let decoder: any ResponseDecoder & Sendable

    /// Creates a caller.
    public init(provider: MoyaProvider<Target>, decoder: any ResponseDecoder & Sendable = JSONDecoder()) {
        self.provider = provider
        self.decoder = decoder
    }

    /// Sends a request and ignores its response.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - failure: The type that the body of a rejected response decodes as; the decoded value is thrown.
    /// - Throws: ``MoyaError``.
    public func send(to target: Target, orThrow failure: ErrorBody? = nil) async throws(MoyaError) {
        _ = try await value(of: target, orThrow: failure) as Response
    }

    /// Returns the response.
    ///
    /// - Throws: ``MoyaError``.
    public func value(of target: Target, orThrow failure: ErrorBody? = nil) async throws(MoyaError) -> Response {
        do throws(MoyaError) {
            return try await provider.request(target)
        } catch {
            throw failure.map { read(error, as: $0) } ?? error
        }
    }

    /// Returns the response before its body has been received.
    ///
    /// - Throws: ``MoyaError``.
    public func stream(
        of target: Target,
        orThrow failure: ErrorBody? = nil
    ) async throws(MoyaError) -> StreamingResponse {
        do throws(MoyaError) {
            return try await provider.stream(target)
        } catch {
            throw failure.map { read(error, as: $0) } ?? error
        }
    }

    /// Returns the body, or its part at a key path, as a value: see `Response.output`.
    ///
    /// - Throws: ``MoyaError``.
    @preconcurrency
    public func value<Value: Decodable & SendableMetatype>(
        of target: Target,
        at keyPath: String? = nil,
        orThrow failure: ErrorBody? = nil
    ) async throws(MoyaError) -> Value {
        try (await value(of: target, orThrow: failure) as Response).output(atKeyPath: keyPath, using: decoder)
    }

    /// Returns the body, or its part at a key path, as a value; `nil` for an empty body and for JSON `null`.
    ///
    /// - Throws: ``MoyaError``.
    @preconcurrency
    public func valueIfPresent<Value: Decodable & SendableMetatype>(
        of target: Target,
        at keyPath: String? = nil,
        orThrow failure: ErrorBody? = nil
    ) async throws(MoyaError) -> Value? {
        try await value(of: target, at: keyPath, orThrow: failure)
    }

    /// Returns the items of a list in pages.
    ///
    /// - Parameters:
    ///   - target: The target of the first page.
    ///   - pagination: The way in which the server divides the list into pages.
    ///   - keyPath: The location of the items in the body; `nil` for a body that is an array.
    ///   - failure: The type that the body of a rejected response decodes as; the decoded value is thrown.
    /// - Returns: The items. Nothing is requested before they are read.
    public func pages<Item: Decodable & Sendable>(
        of target: Target,
        by pagination: Pagination,
        at keyPath: String? = nil,
        orThrow failure: ErrorBody? = nil
    ) -> PagedSequence<Item> {
        provider.pages(
            target,
            by: pagination,
            refused: { [self] error in failure.map { read(error, as: $0) } ?? error },
            items: { [decoder] response throws(MoyaError) in
                try response.output(atKeyPath: keyPath, using: decoder)
            }
        )
    }

    /// Returns the error that the body of a rejected response describes, or the original error.
    private func read<Failure: Decodable & Error & Sendable>(
        _ error: MoyaError,
        as failure: Failure.Type
    ) -> MoyaError {
        let result = Result<Response, MoyaError>.failure(error)
            .filterSuccessfulStatusCodes(orFailWith: failure, using: decoder)
        if case .failure(let read) = result { return read }
        return error
    }
}
#endif
