// This file imports no other module of the package, because the test checks this import alone.
import CombineMoya
import Testing

#if canImport(Combine) || OpenCombine
@Suite("CombineMoya needs no other import")
struct ImportTests {
    private struct Wisdom: TargetType {
        var baseURL: URL { URL(string: "http://h") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
        var validationType: ValidationType { .none }
    }

    private struct APIFailure: Decodable, Error { var message: String }

    @Test("CombineMoya provides orThrow and orFailWith, which fail with the decoded error body")
    func orThrow() {
        let endpoint: MoyaProvider<Wisdom>.EndpointClosure = { target in
            Endpoint(
                url: "http://h",
                sampleResponseClosure: { .networkResponse(404, Data(#"{"message":"no"}"#.utf8)) },
                method: target.method,
                task: target.task
            )
        }
        let provider = MoyaProvider<Wisdom>(endpointClosure: endpoint, stubClosure: MoyaProvider.immediatelyStub)
        var messages: [String] = []
        for publisher in [
            provider.requestPublisher(Wisdom()).filterSuccessfulStatusCodes(orThrow: APIFailure.self),
            provider.requestPublisher(Wisdom()).filterSuccessfulStatusCodes(orFailWith: APIFailure.self),
        ] {
            let subscription = publisher.sink { completion in
                if case .failure(.underlying(let failure as APIFailure, _)) = completion {
                    messages.append(failure.message)
                }
            } receiveValue: { _ in
                Issue.record("a value")
            }
            withExtendedLifetime(subscription) {}
        }
        #expect(messages == ["no", "no"])
    }
}
#endif
