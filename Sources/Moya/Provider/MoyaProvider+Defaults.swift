import Foundation

extension MoyaProvider {
    /// Creates the endpoint with the properties of a target, stubbed with the target's sample response.
    @Sendable
    public final class func defaultEndpointMapping(for target: Target) -> Endpoint {
        Endpoint(
            url: URL.text(of: target),
            sampleResponseClosure: { target.sampleResponse },
            method: target.method,
            task: target.task,
            httpHeaderFields: target.headers,
            timeoutInterval: target.timeoutInterval,
            cachePolicy: target.cachePolicy
        )
    }

    /// Passes the endpoint's request, or the error of its creation, to a closure.
    @preconcurrency
    @Sendable
    public final class func defaultRequestMapping(for endpoint: Endpoint, closure: RequestResultClosure) {
        closure(
            Result { try endpoint.urlRequest() }.mapError { MoyaError(wrapping: $0) }
        )
    }

    /// Creates a session with the default headers, on the platform's transport.
    ///
    /// The name comes from Moya 15.
    public final class func defaultAlamofireSession() -> Session {
        Session(configuration: .withDefaultHeaders, startRequestsImmediately: false)
    }

    /// Returns ``StubBehavior/never`` for every target: all requests are sent.
    @Sendable
    public final class func neverStub(_: Target) -> Moya.StubBehavior { .never }

    /// Returns ``StubBehavior/immediate`` for every target: all requests get their sample response at once.
    @Sendable
    public final class func immediatelyStub(_: Target) -> Moya.StubBehavior { .immediate }

    /// Returns a closure that stubs every request with its sample response, after a delay in seconds.
    public final class func delayedStub(_ seconds: TimeInterval) -> @Sendable (Target) -> Moya.StubBehavior {
        { _ in .delayed(seconds: seconds) }
    }
}

extension MoyaProvider {
    /// Returns a closure that creates a target's endpoint on another server, or with another encoder.
    ///
    ///     MoyaProvider<GitHub>(endpointClosure: MoyaProvider.endpoints(at: staging))
    ///
    /// A target's path is appended to the base URL, and the path and the query of the target's own base URL are dropped. A
    /// target with an empty path keeps a URL that is below the base URL already, such as the link to the next page that this
    /// server has returned.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL that replaces the targets'; `nil` to keep theirs.
    ///   - encoder: The encoder for values that are sent as JSON, unless the target has an encoder for them.
    /// - Returns: A closure for the provider's `endpointClosure`.
    public static func endpoints(at baseURL: URL?, encoder: JSONEncoder? = nil) -> EndpointClosure {
        endpoints(at: baseURL, encoder: encoder, replacing: nil)
    }

    /// Returns the closure of ``endpoints(at:encoder:)``, whose encoder also replaces the encoder that all targets declare.
    package static func endpoints(
        at baseURL: URL?,
        encoder: JSONEncoder?,
        replacing declared: JSONEncoder?
    ) -> EndpointClosure {
        guard baseURL != nil || encoder != nil else { return { defaultEndpointMapping(for: $0) } }
        return { target in
            let endpoint = defaultEndpointMapping(for: target)
            return Endpoint(
                url: baseURL.map { text(of: target, at: $0) } ?? endpoint.url,
                sampleResponseClosure: endpoint.sampleResponseClosure,
                method: endpoint.method,
                task: encoder.map { endpoint.task.encodingJSON(with: $0, replacing: declared) } ?? endpoint.task,
                httpHeaderFields: endpoint.httpHeaderFields,
                timeoutInterval: endpoint.timeoutInterval,
                cachePolicy: endpoint.cachePolicy
            )
        }
    }

    private static func text(of target: Target, at baseURL: URL) -> String {
        if target.path.isEmpty, target.baseURL.isBelow(baseURL) { return target.baseURL.absoluteString }
        return URL.text(of: Relocated(target: target, baseURL: baseURL))
    }
}

extension URL {
    /// Returns whether the URL has the origin of another one and a longer path, or the same path and a query where the other has
    /// none.
    fileprivate func isBelow(_ other: URL) -> Bool {
        guard let origin = Origin(self), origin == Origin(other) else { return false }
        let (path, folder) = (absoluteURL.pathWithSlash, other.absoluteURL.pathWithSlash)
        return path == folder ? query != nil && other.query == nil : path.hasPrefix(folder)
    }

    private var pathWithSlash: String {
        let path = path(percentEncoded: true)
        return path.hasSuffix("/") ? path : "\(path)/"
    }
}

/// A target with another base URL, so that its URL is created like the URL of any target.
private struct Relocated<Target: TargetType>: TargetType {
    let target: Target
    let baseURL: URL

    var path: String { target.path }
    var isPathEscaped: Bool { target.isPathEscaped }
    var method: Moya.Method { target.method }
    var task: HTTPTask { target.task }
    var headers: [String: String]? { target.headers }
}
