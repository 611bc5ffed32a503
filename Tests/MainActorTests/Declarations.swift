import Moya

// This file has each spelling that compiles in a module whose declarations are isolated to the main actor by default. The
// spellings that do not compile are in scripts/data/old-names/main-actor-6.swift, and both are in Documentation/Migration.md.

/// A target in one declaration.
enum GitHub: TargetType {
    case zen
    case user(String)

    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String {
        switch self {
        case .zen: "/zen"
        case .user(let name): "/users/\(name)"
        }
    }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
    var sampleData: Data { Data(#"{"login":"octocat"}"#.utf8) }
}

/// A target whose conformance is in an extension.
enum GitLab {
    case user(String)
}

nonisolated extension GitLab: TargetType {
    var baseURL: URL { URL(string: "https://gitlab.com/api/v4")! }
    var path: String {
        switch self {
        case .user(let name): "/users/\(name)"
        }
    }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
    var sampleData: Data { Data(#"{"login":"tanuki"}"#.utf8) }
}

// This is the usual spelling of a conformance that only some plugins use.
extension GitHub: AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? { .bearer }
}

/// The common members of the targets.
nonisolated protocol Endpoint: TypedTargetType {}

nonisolated extension Endpoint {
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}

/// A model that is decoded on any thread.
nonisolated struct User: Codable, Equatable {
    var login: String
}

/// A model that is isolated to the main actor.
struct IsolatedUser: Codable {
    var login: String
}

/// The body of a rejected response: an `Error` is nonisolated by default.
struct Failure: Codable, Error {
    var message: String
}

/// A typed target with a sample.
struct GetUser: Endpoint, SampledTargetType {
    typealias Output = User
    typealias ErrorBody = Failure

    var name: String
    var path: String { "/users/\(name)" }
    var sampleOutput: User { User(login: name) }
}

/// A plugin in one declaration.
struct HeaderPlugin: PluginType {
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        var request = request
        request.setValue("1", forHTTPHeaderField: "X-Plugin")
        return request
    }
}

/// A plugin whose conformance is in an extension.
struct LanguagePlugin {
    var language = "de"
}

nonisolated extension LanguagePlugin: PluginType {
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        var request = request
        request.setValue(language, forHTTPHeaderField: "Accept-Language")
        return request
    }
}

/// A provider's subclass.
nonisolated final class OwnProvider: MoyaProvider<GitHub>, @unchecked Sendable {
    override func request(
        _ target: GitHub,
        callbackQueue: DispatchQueue? = nil,
        progress: ProgressBlock? = nil,
        completion: @escaping Completion
    ) -> any Cancellable {
        super.request(.user("own"), callbackQueue: callbackQueue, progress: progress, completion: completion)
    }
}

/// A class of the main actor, such as a view model.
final class ViewModel {
    private let provider: MoyaProvider<GitHub>
    private(set) var user: IsolatedUser?

    init(_ provider: MoyaProvider<GitHub>) { self.provider = provider }

    func load() async throws { user = try await provider.request(.user("a")).map(IsolatedUser.self) }

    func load(completion: @escaping @Sendable @MainActor () -> Void) {
        provider.request(.user("a")) { result in
            MainActor.assumeIsolated {
                self.user = try? result.get().map(IsolatedUser.self)
                completion()
            }
        }
    }
}
