import Foundation
import Moya
import Testing

@Suite("The earlier name Manager is available")
struct ManagerTests {
    struct Names: CompatibilityNames {
        @available(*, deprecated)
        func check() {
            let configuration = URLSessionConfiguration.default
            configuration.httpAdditionalHeaders = Manager.defaultHTTPHeaders
            let manager: Manager = Manager(configuration: configuration)
            #expect(manager.sessionConfiguration.headers == HTTPHeaders.default)
            let provider = MoyaProvider<Shop>(manager: manager)
            #expect(provider.session === manager && provider.manager === manager)
            #expect(MoyaProvider<Shop>.defaultAlamofireManager().startRequestsImmediately == false)
            _ = Manager.default
        }
    }

    struct Arguments: CompatibilityNames {
        @available(*, deprecated)
        func check() {
            var url: String?
            let provider = MoyaProvider<Shop>(
                endpointClosure: {
                    MoyaProvider.defaultEndpointMapping(for: $0).adding(newHTTPHeaderFields: ["A": "1"])
                },
                requestClosure: { endpoint, done in
                    url = endpoint.url
                    done(Result { try endpoint.urlRequest() }.mapError { MoyaError.underlying($0, nil) })
                },
                stubClosure: MoyaProvider.immediatelyStub,
                callbackQueue: nil,
                manager: MoyaProvider<Shop>.defaultAlamofireManager(),
                plugins: [NetworkActivityPlugin { _, _ in }],
                trackInflights: true
            )
            var sent: URLRequest?
            provider.request(.list) { sent = try? $0.get().request }
            #expect(sent?.value(forHTTPHeaderField: "A") == "1" && url == "https://shop.test/v1/items")
            #expect(provider.plugins.count == 1 && provider.trackInflights)
        }
    }

    @Test("Manager is another name of Session")
    func names() throws { try check(Names()) }

    @Test("a provider that is created with a manager accepts all other arguments")
    func arguments() throws { try check(Arguments()) }
}
