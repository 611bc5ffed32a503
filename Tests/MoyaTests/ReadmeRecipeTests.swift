import Foundation
import Moya
import TestServers
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The recipes of Documentation that no other test file has.
@Suite("The documentation's recipes run")
struct ReadmeRecipeTests {
    private enum GitHub {
        case zen
        var baseURL: URL { URL(string: "https://api.github.com")! }
    }

    struct Login: TargetType {
        var name: String
        var password: String
        var baseURL: URL { GitHub.zen.baseURL }
        var path: String { "/login" }
        var method: Moya.Method { .post }
        var task: HTTPTask { .requestJSONEncodable(["name": name, "password": password]) }
        var headers: [String: String]? { nil }
        var sampleData: Data { Data(#"{"access":"a","refresh":"r"}"#.utf8) }
    }
    struct Tokens: Decodable { var access, refresh: String }

    /// A provider whose requests are stubbed.
    private struct MoyaProvider<Target: TargetType> {
        func request(_ target: Target) async throws -> Moya.Response {
            try await Moya.MoyaProvider<Target>(stubClosure: Moya.MoyaProvider.immediatelyStub).request(target)
        }
    }

    @Test("the documentation's recipe that logs a user in runs")
    func login() async throws {
        let oauth2 = OAuth2Authenticator(
            tokenURL: GitHub.zen.baseURL,
            client: .public(id: "app"),
            origins: [GitHub.zen.baseURL]
        ) { _ in }
        let interceptor = AuthenticationInterceptor(authenticator: oauth2)
        let login = Login(name: "ash", password: "secret")
        let tokens = try await MoyaProvider<Login>().request(login).filterSuccessfulStatusCodes().map(Tokens.self)
        interceptor.credential = OAuth2Credential(
            accessToken: tokens.access,
            refreshToken: tokens.refresh,
            expiration: Date(timeIntervalSinceNow: 3_600)
        )
        #expect(interceptor.credential?.accessToken == "a")

        let patient = AuthenticationInterceptor(
            authenticator: oauth2,
            refreshWindow: RefreshWindow(interval: 30, maximumAttempts: 20)
        )
        #expect(patient.credential == nil)
    }

    @Test("the documentation's recipe of a download with parameters runs")
    func download() throws {
        let file = URL(fileURLWithPath: "/tmp/report.pdf")
        let report: HTTPTask = .download(to: file, options: .removePreviousFile, parameters: ["format": "pdf"])
        let endpoint = Endpoint(
            url: "https://api.example.com/report",
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .get,
            task: report,
            httpHeaderFields: nil
        )
        #expect(try endpoint.urlRequest().url?.query == "format=pdf")
    }
}
