import Moya
import Testing

// This file has each spelling that compiles in language mode 5 with default isolation to the main actor, which new projects of
// Xcode 26 have. The spellings that do not compile are in scripts/data/old-names/main-actor-5.swift.

enum GitHub: TargetType {
    case user(String)

    var baseURL: URL { return URL(string: "https://api.github.com")! }
    var path: String { return "/users" }
    var method: Moya.Method { return .get }
    var task: Task { return .requestPlain }
    var headers: [String: String]? { return nil }
    var sampleData: Data { return Data(#"{"login":"octocat"}"#.utf8) }
}

enum GitLab {
    case user(String)
}

nonisolated extension GitLab: TargetType {
    var baseURL: URL { return URL(string: "https://gitlab.com/api/v4")! }
    var path: String { return "/users" }
    var method: Moya.Method { return .get }
    var task: Task { return .requestPlain }
    var headers: [String: String]? { return nil }
    var sampleData: Data { return Data(#"{"login":"tanuki"}"#.utf8) }
}

extension GitHub: AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? { return .bearer }
}

enum Bitbucket {
    case user(String)
}

// The compiler refuses this usual spelling only in language mode 6. The members are called on any thread.
extension Bitbucket: TargetType {
    var baseURL: URL { return URL(string: "https://api.bitbucket.org")! }
    var path: String { return "/users" }
    var method: Moya.Method { return .get }
    var task: Task { return .requestPlain }
    var headers: [String: String]? { return nil }
    var sampleData: Data { return Data(#"{"login":"bucket"}"#.utf8) }
}

nonisolated struct User: Codable, Equatable {
    var login: String
}

struct IsolatedUser: Codable {
    var login: String
}

struct GetUser: TypedTargetType {
    typealias Output = User

    var baseURL: URL { return URL(string: "https://api.github.com")! }
    var path: String { return "/users" }
    var method: Moya.Method { return .get }
    var task: Task { return .requestPlain }
    var headers: [String: String]? { return nil }
    var sampleData: Data { return Data(#"{"login":"octocat"}"#.utf8) }
}

struct LanguagePlugin {}

nonisolated extension LanguagePlugin: PluginType {
    func prepare(_ request: URLRequest, target: TargetType) -> URLRequest {
        var request = request
        request.setValue("de", forHTTPHeaderField: "Accept-Language")
        return request
    }
}

nonisolated class OwnProvider: MoyaProvider<GitHub> {}

@Suite("Targets and plugins work with default isolation to the main actor in language mode 5")
struct MainActor5Tests {
    @Test("targets, plugins and a subclass of a provider work with default isolation in language mode 5")
    func targets() async throws {
        let provider = OwnProvider(stubClosure: MoyaProvider.immediatelyStub, plugins: [LanguagePlugin()])
        let response = try await provider.request(.user("a"))
        #expect(try response.map(User.self) == User(login: "octocat"))
        #expect(try response.map(IsolatedUser.self).login == "octocat")
        #expect(response.request?.value(forHTTPHeaderField: "Accept-Language") == "de")
        let gitLab = MoyaProvider<GitLab>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await gitLab.request(.user("a")).map(User.self) == User(login: "tanuki"))
    }

    @Test("a target in a plain extension works off the main actor")
    @concurrent
    nonisolated func plainExtension() async throws {
        let provider = MoyaProvider<Bitbucket>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await provider.request(.user("a")).map(User.self) == User(login: "bucket"))
    }

    @Test("a token is added to a target whose conformance is in an extension")
    func token() async throws {
        let plugin = AccessTokenPlugin { _ in "t" }
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub, plugins: [plugin])
        let request = try await provider.request(.user("a")).request
        #expect(request?.value(forHTTPHeaderField: "Authorization") == "Bearer t")
    }

    @Test("a typed target works with default isolation to the main actor")
    func typed() async throws {
        let provider = MoyaProvider<GetUser>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await provider.request(GetUser()) == User(login: "octocat"))
    }

    @Test("a provider calls a completion on the main queue")
    func completion() async throws {
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        let login = await withCheckedContinuation { continuation in
            _ = provider.request(.user("a")) { result in
                MainActor.assumeIsolated {
                    continuation.resume(returning: try? result.get().map(IsolatedUser.self).login)
                }
            }
        }
        #expect(login == "octocat")
    }
}
