import Foundation
import Moya
import Testing

@Suite("The earlier spellings of a provider's members are available")
struct ProviderSpellingsTests {
    struct Names: CompatibilityNames {
        @available(*, deprecated)
        func check() throws {
            var results: [Result<Moya.Response, MoyaError>] = []
            let provider = MoyaProvider<Shop>(
                requestClosure: { endpoint, done in
                    MoyaProvider<Shop>.defaultRequestMapping(endpoint) { done($0) }
                },
                stubClosure: MoyaProvider.immediatelyStub
            )
            provider.request(.list, queue: nil) { results.append($0) }
            let cancellable = provider.request(.list, queue: nil, progress: nil) { results.append($0) }
            #expect(try results.map { try $0.get().statusCode } == [200, 200])
            #expect(!cancellable.cancelled && !cancellable.canceled)
            cancellable.cancel()
            #expect(cancellable.cancelled && cancellable.canceled)
            if case .delayed(let seconds) = StubBehavior.delayed(0.5) { #expect(seconds == 0.5) }
            let target: StructTarget = StructTarget(Shop.list)
            #expect(target.path == "items")
            #expect(MoyaErrorDomain == (MoyaError.requestMapping("") as NSError).domain)
        }
    }

    @Test("request(_:queue:), defaultRequestMapping(_:closure:), cancelled, StructTarget and MoyaErrorDomain exist")
    func names() throws { try check(Names()) }

    @Test("a provider's names without an argument label do not hide the names with a label")
    func references() {
        let endpoint: (Shop) -> Endpoint = MoyaProvider.defaultEndpointMapping
        let provider = MoyaProvider<Shop>(
            endpointClosure: MoyaProvider.defaultEndpointMapping,
            requestClosure: MoyaProvider<Shop>.defaultRequestMapping
        )
        #expect(provider.endpoint(.list) == endpoint(.list))
    }

    @Test("an underlying error may be created without a response")
    func underlying() {
        let error = MoyaError.underlying(ShopError())
        if case .underlying(ShopError(), nil) = error {} else { Issue.record("\(error)") }
    }
}

private func ~= (pattern: ShopError, value: Error) -> Bool { return (value as? ShopError) == pattern }
