import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The closures of built-in plugins receive targets")
struct WrappedTargetTests {
    private struct Authorized: TargetType, AccessTokenAuthorizable {
        var baseURL: URL { URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
        var authorizationType: AuthorizationType? { .bearer }
    }

    @Test(
        "fact 120: the token closure gets a MultiTarget's inner target, and the closures of other plugins get the wrapper",
        arguments: EntryPoint.allCases
    )
    func closures(entryPoint: EntryPoint) async {
        let seen = Recorder<String>()
        let note: @Sendable (String, any TargetType) -> Void = { seen.add("\($0) \(type(of: $1))") }
        let provider = MoyaProvider<MultiTarget>(
            session: Session(FakeTransport.body("")),
            plugins: [
                AccessTokenPlugin { target in
                    note("token", target)
                    return "tok"
                },
                CredentialsPlugin { target in
                    note("credential", target)
                    return nil
                },
                NetworkActivityPlugin { change, target in note("\(change)", target) },
                NetworkLoggerPlugin(
                    configuration: NetworkLoggerPlugin.Configuration(output: { target, _ in note("log", target) })
                ),
            ]
        )
        #expect(await entryPoint.request(MultiTarget(Authorized()), from: provider).response != nil)
        #expect(
            seen.values == [
                "token Authorized", "credential MultiTarget", "began MultiTarget", "log MultiTarget",
                "ended MultiTarget", "log MultiTarget",
            ]
        )
    }
}
