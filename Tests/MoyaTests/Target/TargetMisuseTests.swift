import Foundation
import Testing

@testable import Moya

@Suite("TargetMisuse names the target and its mistake")
struct TargetMisuseTests {
    private enum API: TargetType {
        case create(secret: String)
        var baseURL: URL { URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .post }
        var task: HTTPTask {
            .requestCompositeParameters(bodyParameters: [:], bodyEncoding: URLEncoding.default, urlParameters: [:])
        }
        var headers: [String: String]? { nil }
    }

    private let misuse = TargetMisuse(target: nil, property: "task", problem: "it is wrong", remedy: "do it right")

    /// Returns the misuse in a failure.
    private func misuse(in result: Result<Response, MoyaError>) -> TargetMisuse? {
        guard case .failure(.parameterEncoding(let error)) = result else { return nil }
        return error as? TargetMisuse
    }

    @Test("the text of TargetMisuse names the property, the problem and the remedy, and the target if it is known")
    func text() {
        #expect(misuse.errorDescription == "`task`: it is wrong. Instead, do it right.")
        #expect(misuse.localizedDescription == "`task`: it is wrong. Instead, do it right.")
        #expect((misuse as any Error).localizedDescription == "`task`: it is wrong. Instead, do it right.")
        let named = misuse.naming(API.create(secret: "5ecret"))
        #expect(named.localizedDescription == "API.create: `task`: it is wrong. Instead, do it right.")
        let error = MoyaError.parameterEncoding(named)
        #expect(
            error.localizedDescription
                == "Failed to encode parameters for URLRequest. API.create: `task`: it is wrong. Instead, do it right."
        )
    }

    @Test("adding the target's name to a TargetMisuse changes nothing else")
    func naming() {
        let named = misuse.naming(API.create(secret: "5ecret"))
        #expect(
            named
                == TargetMisuse(target: "API.create", property: "task", problem: "it is wrong", remedy: "do it right")
        )
        #expect(named != misuse)
        #expect(named.naming(SomeTarget()).target == "SomeTarget")
        #expect(misuse.naming(MultiTarget(API.create(secret: "5ecret"))).target == "API.create")
    }

    @Test("the error of an endpoint without a provider does not name the target")
    func endpoint() {
        let endpoint = MoyaProvider<API>.defaultEndpointMapping(for: .create(secret: "5ecret"))
        let error = #expect(throws: MoyaError.self) { try endpoint.urlRequest() }
        guard case .parameterEncoding(let misuse as TargetMisuse) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(misuse == .bodyEncodingIsForURL)
        #expect(misuse.target == nil)
    }

    @Test(
        "a provider's TargetMisuse error names the target, with and without stubs and tracking",
        arguments: EntryPoint.allCases,
        [false, true]
    )
    func provider(entryPoint: EntryPoint, tracksInflights: Bool) async {
        for behavior in [StubBehavior.never, .immediate, .delayed(seconds: 0)] {
            let provider = MoyaProvider<API>(stubClosure: { _ in behavior }, trackInflights: tracksInflights)
            let misuse = misuse(in: await entryPoint.request(.create(secret: "5ecret"), from: provider))
            #expect(misuse?.target == "API.create")
            #expect(misuse?.property == "task")
        }
    }

    @Test("the error of a provider of MultiTarget names the wrapped target", arguments: EntryPoint.allCases)
    func multiTarget(entryPoint: EntryPoint) async {
        let provider = MoyaProvider<MultiTarget>()
        let result = await entryPoint.request(MultiTarget(API.create(secret: "5ecret")), from: provider)
        #expect(misuse(in: result)?.target == "API.create")
    }

    @Test("no part of a TargetMisuse error shows the payload", arguments: EntryPoint.allCases)
    func payload(entryPoint: EntryPoint) async {
        let result = await entryPoint.request(.create(secret: "5ecret"), from: MoyaProvider<API>())
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(misuse(in: result) != nil)
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!dumped.contains("5ecret"))
        #expect(!"\(error) \(error.localizedDescription) \((error as NSError).userInfo)".contains("5ecret"))
    }
}
