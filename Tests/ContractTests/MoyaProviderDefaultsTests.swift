import Foundation
import Moya
import Testing

@Suite("The defaults and internals of MoyaProvider, and URL(target:), have the interface of the contract")
struct MoyaProviderDefaultsTests {
    /// A provider that overrides stubRequest in the way that the original's documents describe.
    final class SlowProvider: MoyaProvider<Shop> {
        override func stubRequest(
            _ target: Shop,
            request: URLRequest,
            callbackQueue: DispatchQueue?,
            completion: @escaping Moya.Completion,
            endpoint: Endpoint,
            stubBehavior: Moya.StubBehavior
        ) -> CancellableToken {
            let token = CancellableToken {}
            let prepared: URLRequest = notifyPluginsOfImpendingStub(for: request, target: target)
            let stub: () -> Void = createStubFunction(
                token,
                forTarget: target,
                withCompletion: completion,
                endpoint: endpoint,
                plugins: plugins,
                request: prepared
            )
            stub()
            return token
        }
    }

    @Test("the functions defaultEndpointMapping, defaultRequestMapping and defaultAlamofireSession exist")
    func defaults() throws {
        let map: (Shop) -> Endpoint = MoyaProvider.defaultEndpointMapping
        let endpoint = MoyaProvider<Shop>.defaultEndpointMapping(for: .list)
        #expect(map(.list) == endpoint && endpoint.httpHeaderFields == ["Shop": "1"])
        var result: Result<URLRequest, MoyaError>?
        MoyaProvider<Shop>.defaultRequestMapping(for: endpoint) { result = $0 }
        #expect(try result?.get() == endpoint.urlRequest())
        let request: (Endpoint, MoyaProvider<Shop>.RequestResultClosure) -> Void =
            MoyaProvider<Shop>.defaultRequestMapping
        request(endpoint) { result = $0 }
        let session: () -> Session = MoyaProvider<Shop>.defaultAlamofireSession
        #expect(session().sessionConfiguration.headers["User-Agent"]?.isEmpty == false)
    }

    @Test("requestNormal, cancelCompletion, createStubFunction and notifyPluginsOfImpendingStub are public")
    func internals() throws {
        let provider = SlowProvider(stubClosure: MoyaProvider.immediatelyStub)
        var results: [Result<Moya.Response, MoyaError>] = []
        let request: (Shop, DispatchQueue?, Moya.ProgressBlock?, @escaping Moya.Completion) -> Cancellable =
            provider.requestNormal(_:callbackQueue:progress:completion:)
        _ = request(.list, nil, nil) { results.append($0) }
        #expect(try results.first?.get().statusCode == 200)
        provider.cancelCompletion({ results.append($0) }, target: .list)
        guard case .failure(.underlying(let error, nil)) = results.last else {
            Issue.record("it is not cancelled")
            return
        }
        #expect((error as NSError).code == NSURLErrorCancelled)
    }

    @Test("supportsMultipart of a method is true for the methods that accept a form")
    func multipart() {
        let methods: [Moya.Method] = [.post, .put, .patch, .connect, .get, .delete, .options, .head, .trace]
        #expect(
            methods.map { $0.supportsMultipart } == Array(repeating: true, count: 4) + Array(repeating: false, count: 5)
        )
    }

    @Test("URL(target:) returns the target's URL")
    func url() {
        let make: (Shop) -> URL = URL.init(target:)
        #expect(make(.item(2)).absoluteString == "https://shop.test/v1/items/2")
        #expect(URL(target: Shop.list) == make(.list))
    }
}
