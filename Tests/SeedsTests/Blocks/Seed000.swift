// swift-format-ignore-file
// Seed 000, targets and endpoints. The code between `// seed … {` and `// } seed …` is copied from the seed
// unchanged. Blocks that seed 002 contains with the same text are in Seed002.swift.
import Foundation
import Moya

// seed 000, block 1 {
public enum GitHub {
    case zen
    case userProfile(String)
    case userRepositories(String)
    case branches(String, Bool)
}
// } seed 000, block 1

// seed 000, block 2 {
extension GitHub: TargetType {
    public var baseURL: URL { return URL(string: "https://api.github.com")! }
}
// } seed 000, block 2

extension GitHub {
// seed 000, block 3 {
public var path: String {
    switch self {
    case .zen:
        return "/zen"
    case .userProfile(let name):
        return "/users/\(name.urlEscaped)"
    case .userRepositories(let name):
        return "/users/\(name.urlEscaped)/repos"
    case .branches(let repo, _):
        return "/repos/\(repo.urlEscaped)/branches"
    }
}
// } seed 000, block 3

// seed 000, block 4 {
public var method: Moya.Method {
    return .get
}
// } seed 000, block 4

// seed 000, block 5 {
public var task: Task {
    switch self {
    case .userRepositories:
        return .requestParameters(parameters: ["sort": "pushed"], encoding: URLEncoding.default)
    case .branches(_, let protected):
        return .requestParameters(parameters: ["protected": "\(protected)"], encoding: URLEncoding.default)
    default:
        return .requestPlain
    }
}
// } seed 000, block 5

// The seed has `case .userRepositories(let name)` here, without using the name. The compiler warns about an unused
// name, and warnings are errors in this build.
// seed 000, block 6, but for that name {
public var sampleData: Data {
    switch self {
    case .zen:
        return "Half measures are as bad as nothing at all.".data(using: String.Encoding.utf8)!
    case .userProfile(let name):
        return "{\"login\": \"\(name)\", \"id\": 100}".data(using: String.Encoding.utf8)!
    case .userRepositories:
        return "[{\"name\": \"Repo Name\"}]".data(using: String.Encoding.utf8)!
    case .branches:
        return "[{\"name\": \"master\"}]".data(using: String.Encoding.utf8)!
    }
}
// } seed 000, block 6

// seed 000, block 7 {
public var headers: [String: String]? {
    return ["Content-Type": "application/json"]
}
// } seed 000, block 7
}

// seed 000, block 8 {
let GitHubProvider = MoyaProvider<GitHub>()
// } seed 000, block 8

// The extension is private, because seed 004 has an extension with the same member.
private
// seed 000, block 9 {
extension String {
    var urlEscaped: String {
        return addingPercentEncoding(withAllowedCharacters: .urlHostAllowed)!
    }
}
// } seed 000, block 9

enum Seed000 {
    static func escaped(_ text: String) -> String { text.urlEscaped }

    static func endpointClosure() -> (MyTarget) -> Endpoint {
// seed 000, block 10 {
let endpointClosure = { (target: MyTarget) -> Endpoint in
    let url = URL(target: target).absoluteString
    return Endpoint(url: url, sampleResponseClosure: {.networkResponse(200, target.sampleData)}, method: target.method, task: target.task)
}
// } seed 000, block 10
        return endpointClosure
    }

    typealias YourAPI = GitHub

    static func providerWithCredentials() -> MoyaProvider<YourAPI> {
// seed 000, block 24; seed 000, block 31 {
let provider = MoyaProvider<YourAPI>(plugins: [CredentialsPlugin { _ -> URLCredential? in
        return URLCredential(user: "user", password: "passwd", persistence: .none)
    }
])
// } seed 000, block 24
        return provider
    }

    enum AddingHeaders {
        // The block uses two names for one target.
        typealias MyTarget = GitHub

    static func provider() -> MoyaProvider<GitHub> {
// seed 000, block 11 {
let endpointClosure = { (target: MyTarget) -> Endpoint in
    let defaultEndpoint = MoyaProvider.defaultEndpointMapping(for: target)
    return defaultEndpoint.adding(newHTTPHeaderFields: ["APP_NAME": "MY_AWESOME_APP"])
}
let provider = MoyaProvider<GitHub>(endpointClosure: endpointClosure)
// } seed 000, block 11
            return provider
        }
    }

    enum Signing {
        typealias GitHub = MyTarget

        enum GlobalAppStorage {
            static let authToken = "a token"
        }

        static func provider() -> MoyaProvider<GitHub> {
// seed 000, block 12 {
let endpointClosure = { (target: MyTarget) -> Endpoint in
    let defaultEndpoint = MoyaProvider.defaultEndpointMapping(for: target)

    // Sign all non-authenticating requests
    switch target {
    case .authenticate:
        return defaultEndpoint
    default:
        return defaultEndpoint.adding(newHTTPHeaderFields: ["AUTHENTICATION_TOKEN": GlobalAppStorage.authToken])
    }
}
let provider = MoyaProvider<GitHub>(endpointClosure: endpointClosure)
// } seed 000, block 12
            return provider
        }
    }

    static func providerWithRequestClosure() -> MoyaProvider<GitHub> {
// seed 000, block 13 {
let requestClosure = { (endpoint: Endpoint, done: MoyaProvider.RequestResultClosure) in
    do {
        var request = try endpoint.urlRequest()
        // Modify the request however you like.
        done(.success(request))
    } catch {
        done(.failure(MoyaError.underlying(error)))
    }

}
let provider = MoyaProvider<GitHub>(requestClosure: requestClosure)
// } seed 000, block 13
        #if false
            // This assignment is not compiled, but it keeps the compiler from warning that the block never changes the variable.
            request = request
        #endif
        return provider
    }

    static func requestClosureWithoutCookies() -> MoyaProvider<GitHub>.RequestClosure {
        let requestClosure: MoyaProvider<GitHub>.RequestClosure =
// seed 000, block 14 {
{ (endpoint: Endpoint, done: MoyaProvider.RequestResultClosure) in
    do {
        var request: URLRequest = try endpoint.urlRequest()
        request.httpShouldHandleCookies = false
        done(.success(request))
    } catch {
        done(.failure(MoyaError.underlying(error)))
    }
}
// } seed 000, block 14
        return requestClosure
    }

    static func provider() -> MoyaProvider<GitHub> {
// seed 000, block 38 {
let provider = MoyaProvider<GitHub>()
// } seed 000, block 38
        return provider
    }
}
