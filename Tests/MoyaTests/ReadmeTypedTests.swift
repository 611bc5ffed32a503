import Foundation
import Moya
import Testing

// This file has the documentation's code about typed targets.

@Suite("The documentation's example of typed targets runs")
struct ReadmeTypedTests {
    /// The provider of the documentation's examples, without a network.
    typealias MoyaProvider<Target: TargetType> = ReadmeTests.MoyaProvider<Target>

    struct User: Codable { var login: String }

    struct GetUser: TypedTargetType {
        typealias Output = User
        var name: String
        var baseURL: URL { URL(string: "https://api.github.com")! }
        var path: String { "/users/\(name)" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    @Test("a request returns the output that the documentation's target declares as a sample")
    func answers() async throws {
        let provider = MoyaProvider<GetUser>()
        let user = try await provider.request(GetUser(name: "ashfurrow"))
        #expect(user.login == "octocat")
    }
}

extension ReadmeTypedTests.GetUser: SampledTargetType {
    var sampleOutput: ReadmeTypedTests.User { ReadmeTypedTests.User(login: "octocat") }
}
