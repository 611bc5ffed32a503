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

    /// A session with the default headers, on the platform's transport. The name is the original's.
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
