import Foundation
import Moya
import Testing

/// A provider that needs no network and records its requests and results.
final class StubbedProvider<Target: TargetType>: MoyaProvider<Target> {
    let recorder: Recorder

    init(
        endpointClosure: @escaping (Target) -> Endpoint = MoyaProvider<Target>.defaultEndpointMapping,
        requestClosure: @escaping (Endpoint, @escaping RequestResultClosure) -> Void =
            MoyaProvider<Target>.defaultRequestMapping,
        plugins: [PluginType] = []
    ) {
        let recorder = Recorder()
        self.recorder = recorder
        super.init(
            endpointClosure: endpointClosure,
            requestClosure: requestClosure,
            stubClosure: MoyaProvider<Target>.immediatelyStub,
            plugins: plugins + [recorder]
        )
    }

    /// Creates a provider with the closures and plugins of another one, but with stubs.
    convenience init(like provider: MoyaProvider<Target>) {
        self.init(
            endpointClosure: provider.endpointClosure,
            requestClosure: provider.requestClosure,
            plugins: provider.plugins
        )
    }

    /// Sends a request, and returns the result, which an immediate stub provides before `request` returns.
    func result(of target: Target) throws -> Result<Response, MoyaError> {
        var result: Result<Response, MoyaError>?
        request(target) { result = $0 }
        return try #require(result)
    }

    func response(of target: Target) throws -> Response { try result(of: target).get() }
}
