import Foundation
import Moya
import Testing

@Suite("MoyaProvider has the interface of the contract")
struct MoyaProviderTests {
    /// A provider that overrides every open member.
    final class OnlineProvider: MoyaProvider<Shop> {
        private(set) var calls: [String] = []

        override var inflightRequests: [Endpoint: [Moya.Completion]] {
            return super.inflightRequests
        }

        override func endpoint(_ token: Shop) -> Endpoint {
            calls.append("endpoint")
            return super.endpoint(token).adding(newHTTPHeaderFields: ["Online": "1"])
        }

        override func request(
            _ target: Shop,
            callbackQueue: DispatchQueue? = .none,
            progress: ProgressBlock? = .none,
            completion: @escaping Completion
        ) -> Cancellable {
            calls.append("request")
            return super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
        }

        override func stubRequest(
            _ target: Shop,
            request: URLRequest,
            callbackQueue: DispatchQueue?,
            completion: @escaping Moya.Completion,
            endpoint: Endpoint,
            stubBehavior: Moya.StubBehavior
        ) -> CancellableToken {
            calls.append("stubRequest \(request.value(forHTTPHeaderField: "Online") ?? "")")
            return super.stubRequest(
                target,
                request: request,
                callbackQueue: callbackQueue,
                completion: completion,
                endpoint: endpoint,
                stubBehavior: stubBehavior
            )
        }
    }

    /// A type that conforms to MoyaProviderType without being a MoyaProvider.
    final class Echo: MoyaProviderType {
        func request(
            _ target: Shop,
            callbackQueue: DispatchQueue?,
            progress: Moya.ProgressBlock?,
            completion: @escaping Moya.Completion
        ) -> Cancellable {
            completion(.success(Response(statusCode: 200, data: target.sampleData)))
            return CancellableToken {}
        }
    }

    static func ask<Provider: MoyaProviderType>(_ provider: Provider, _ target: Provider.Target) -> Int? {
        var status: Int?
        _ = provider.request(target, callbackQueue: nil, progress: nil) { status = try? $0.get().statusCode }
        return status
    }

    @Test("all arguments of a provider have defaults, and its properties can be read")
    func defaults() {
        let provider = MoyaProvider<Shop>()
        let endpointClosure: (Shop) -> Endpoint = provider.endpointClosure
        let stubClosure: (Shop) -> Moya.StubBehavior = provider.stubClosure
        let requestClosure: (Endpoint, @escaping MoyaProvider<Shop>.RequestResultClosure) -> Void =
            provider.requestClosure
        let session: Session = provider.session
        let plugins: [PluginType] = provider.plugins
        let inflights: [Endpoint: [Moya.Completion]] = provider.inflightRequests
        #expect(endpointClosure(.list) == provider.endpoint(.list))
        if case .never = stubClosure(.list) {} else { Issue.record("something is stubbed") }
        var url: URL?
        requestClosure(provider.endpoint(.list)) { url = try? $0.get().url }
        #expect(url?.absoluteString == "https://shop.test/v1/items")
        #expect(session.startRequestsImmediately == false)
        #expect(plugins.isEmpty && provider.trackInflights == false && inflights.isEmpty)
    }

    @Test("all arguments of a provider can be set")
    func everything() {
        let session = MoyaProvider<Shop>.defaultAlamofireSession()
        let endpointClosure: MoyaProvider<Shop>.EndpointClosure = { MoyaProvider.defaultEndpointMapping(for: $0) }
        let requestClosure: MoyaProvider<Shop>.RequestClosure = { endpoint, done in
            MoyaProvider<Shop>.defaultRequestMapping(for: endpoint, closure: done)
        }
        let stubClosure: MoyaProvider<Shop>.StubClosure = { _ in .immediate }
        let provider = MoyaProvider<Shop>(
            endpointClosure: endpointClosure,
            requestClosure: requestClosure,
            stubClosure: stubClosure,
            callbackQueue: .main,
            session: session,
            plugins: [NetworkActivityPlugin { _, _ in }],
            trackInflights: true
        )
        #expect(provider.session === session && provider.plugins.count == 1 && provider.trackInflights)
    }

    @Test("a provider's request has defaults for the queue and the progress, and the returned value may be discarded")
    func request() throws {
        let provider = MoyaProvider<Shop>(stubClosure: MoyaProvider.immediatelyStub)
        var results: [Result<Moya.Response, MoyaError>] = []
        var fractions: [Double] = []
        provider.request(.list) { results.append($0) }
        let cancellable: Cancellable = provider.request(
            .item(2),
            callbackQueue: nil,
            progress: { fractions.append($0.progress) }
        ) {
            results.append($0)
        }
        let call: (Shop, DispatchQueue?, ProgressBlock?, @escaping Completion) -> Cancellable =
            provider.request(_:callbackQueue:progress:completion:)
        _ = call(.list, nil, nil) { results.append($0) }
        #expect(try results.map { try $0.get().statusCode } == [200, 200, 200])
        #expect(fractions == [1] && !cancellable.isCancelled)
    }

    @Test("a subclass of MoyaProvider overrides request, endpoint, stubRequest and inflightRequests")
    func subclass() {
        let provider = OnlineProvider(stubClosure: MoyaProvider.immediatelyStub, trackInflights: true)
        var count: Int?
        let inside: MoyaProvider<Shop> = provider
        inside.request(.list) { _ in
            let completions: [Endpoint: [Moya.Completion]] = inside.inflightRequests
            count = completions.values.first?.count
        }
        #expect(provider.calls == ["request", "endpoint", "stubRequest 1"])
        #expect(count == 1 && inside.inflightRequests.isEmpty)
    }

    @Test("a provider and an application's type conform to MoyaProviderType")
    func providerType() {
        #expect(Self.ask(MoyaProvider<Shop>(stubClosure: MoyaProvider.immediatelyStub), .list) == 200)
        #expect(Self.ask(Echo(), .item(1)) == 200)
    }

    @Test("stubRequest of a provider can be called, and the returned token may be discarded")
    func stubRequest() throws {
        let provider = MoyaProvider<Shop>()
        var status: Int?
        provider.stubRequest(
            .list,
            request: Shop.request,
            callbackQueue: nil,
            completion: { status = try? $0.get().statusCode },
            endpoint: provider.endpoint(.list),
            stubBehavior: .immediate
        )
        #expect(status == 200)
        let call: (Shop, URLRequest, DispatchQueue?, @escaping Completion, Endpoint, StubBehavior) -> CancellableToken =
            provider.stubRequest(_:request:callbackQueue:completion:endpoint:stubBehavior:)
        #expect(call(.list, Shop.request, nil, { _ in }, provider.endpoint(.list), .immediate).isCancelled == false)
    }

    @Test("ProgressResponse is created with defaults and has a progress value")
    func progress() {
        let none = ProgressResponse()
        let half = Progress(totalUnitCount: 2)
        half.completedUnitCount = 1
        let some = ProgressResponse(progress: half)
        let response: Response? = Response(statusCode: 200, data: Data())
        let all = ProgressResponse(progress: half, response: response)
        #expect([none, some, all].map { $0.progress } == [0, 0.5, 1])
        #expect([none, some, all].map { $0.completed } == [false, false, true])
        let object: Progress? = all.progressObject
        #expect(object === half && all.response === response)
    }

    @Test("StubBehavior has three cases and helpers that return them")
    func stubBehavior() {
        func name(_ behavior: Moya.StubBehavior) -> String {
            switch behavior {
            case .never: return "never"
            case .immediate: return "immediate"
            case .delayed(let seconds): return "delayed \(seconds)"
            }
        }
        let never: (Shop) -> StubBehavior = MoyaProvider.neverStub
        let immediate: (Shop) -> StubBehavior = MoyaProvider<Shop>.immediatelyStub
        let delayed: (TimeInterval) -> (Shop) -> StubBehavior = { MoyaProvider.delayedStub($0) }
        #expect([never, immediate, delayed(2)].map { name($0(.list)) } == ["never", "immediate", "delayed 2.0"])
        #expect(name(.delayed(seconds: 1)) == "delayed 1.0")
    }

    @Test("convertResponseToResult converts a response, a request, data and an error to a result")
    func convert() throws {
        let convert: (HTTPURLResponse?, URLRequest?, Data?, Swift.Error?) -> Result<Moya.Response, MoyaError> =
            convertResponseToResult
        #expect(try convertResponseToResult(Shop.head, request: nil, data: nil, error: nil).get().statusCode == 201)
        #expect(throws: MoyaError.self) { try convert(nil, nil, nil, ShopError()).get() }
    }
}
