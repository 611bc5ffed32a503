import Foundation

extension MoyaProvider {
    /// The endpoint that says what the target says; its stub answers 200 with the target's sample data.
    @Sendable
    public final class func defaultEndpointMapping(for target: Target) -> Endpoint {
        Endpoint(
            url: URL.text(of: target),
            sampleResponseClosure: { target.sampleResponse },
            method: target.method,
            task: target.task,
            httpHeaderFields: target.headers
        )
    }

    /// The endpoint's own request, or why there is none.
    @preconcurrency
    @Sendable
    public final class func defaultRequestMapping(for endpoint: Endpoint, closure: RequestResultClosure) {
        closure(
            Result { try endpoint.urlRequest() }.mapError { MoyaError(wrapping: $0) }
        )
    }

    /// A session with the default headers, on the platform's transport.
    ///
    /// The name is the original's.
    public final class func defaultAlamofireSession() -> Session {
        Session(configuration: .withDefaultHeaders, startRequestsImmediately: false)
    }

    /// Sends every request.
    @Sendable
    public final class func neverStub(_: Target) -> Moya.StubBehavior { .never }

    /// Answers every request at once with its sample response.
    @Sendable
    public final class func immediatelyStub(_: Target) -> Moya.StubBehavior { .immediate }

    /// Answers every request with its sample response, after some seconds.
    public final class func delayedStub(_ seconds: TimeInterval) -> @Sendable (Target) -> Moya.StubBehavior {
        { _ in .delayed(seconds: seconds) }
    }
}

extension MoyaProvider {
    /// Returns a closure that creates a target's endpoint on another server, or with another encoder.
    ///
    ///     MoyaProvider<GitHub>(endpointClosure: MoyaProvider.endpoints(at: staging))
    ///
    /// - Parameters:
    ///   - baseURL: The base URL that replaces the targets'; `nil` to keep theirs.
    ///   - encoder: The encoder for values that are sent as JSON, unless the target has an encoder for them.
    /// - Returns: A closure for the provider's `endpointClosure`.
    public static func endpoints(at baseURL: URL?, encoder: JSONEncoder? = nil) -> EndpointClosure {
        guard baseURL != nil || encoder != nil else { return { defaultEndpointMapping(for: $0) } }
        return { target in
            let endpoint = defaultEndpointMapping(for: target)
            return Endpoint(
                url: baseURL.map { URL.text(of: Relocated(target: target, baseURL: $0)) } ?? endpoint.url,
                sampleResponseClosure: endpoint.sampleResponseClosure,
                method: endpoint.method,
                task: encoder.map { endpoint.task.encodingJSON(with: $0) } ?? endpoint.task,
                httpHeaderFields: endpoint.httpHeaderFields
            )
        }
    }
}

/// A target at another server, so that its URL is put together as any target's is.
private struct Relocated<Target: TargetType>: TargetType {
    let target: Target
    let baseURL: URL

    var path: String { target.path }
    var isPathEscaped: Bool { target.isPathEscaped }
    var method: Moya.Method { target.method }
    var task: HTTPTask { target.task }
    var headers: [String: String]? { target.headers }
}
