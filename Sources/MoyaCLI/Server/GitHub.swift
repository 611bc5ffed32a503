import Foundation
import Moya

/// The demo's requests to the API.
enum GitHub {
    case zen
    case emojis(URLRequest.CachePolicy)
    case userProfile(String)
    case userRepositories(String)
    case branches(String, Bool)
    case createIssue(owner: String, repo: String, IssueDraft)
    case currentUser
    case broken
    case slow
    case readme
    case log
    case activity
}

extension GitHub: TargetType {
    private static let api = URL(string: "https://api.github.com")!

    // This is the URL of the real API; the demo's providers replace it (see DemoProviders).
    var baseURL: URL { Self.api }

    var path: String {
        switch self {
        case .zen: "/zen"
        case .emojis: "/emojis"
        case .userProfile(let name): "/users/\(name)"
        case .userRepositories(let name): "/users/\(name)/repos"
        case .branches(let repo, _): "/repos/\(repo)/branches"
        case .createIssue(let owner, let repo, _): "/repos/\(owner)/\(repo)/issues"
        case .currentUser: "/user"
        case .broken: "/broken"
        case .slow: "/slow"
        case .readme: "/readme"
        case .log: "/log"
        case .activity: "/activity"
        }
    }

    var method: Moya.Method {
        switch self {
        case .createIssue: .post
        default: .get
        }
    }

    var task: HTTPTask {
        switch self {
        case .userRepositories:
            .requestParameters(parameters: ["sort": "pushed"], encoding: URLEncoding.default)
        case .branches(_, let protected):
            .requestParameters(
                parameters: ["protected": protected],
                encoding: URLEncoding(destination: .queryString, boolEncoding: .literal)
            )
        case .createIssue(_, _, let draft):
            .requestJSONEncodable(draft)
        default:
            .requestPlain
        }
    }

    var cachePolicy: URLRequest.CachePolicy {
        switch self {
        case .emojis(let policy): policy
        default: .useProtocolCachePolicy
        }
    }

    var validationType: ValidationType {
        switch self {
        // 401 is accepted, because the demo shows the response.
        case .currentUser: .customCodes([200, 401])
        default: .successCodes
        }
    }

    var headers: [String: String]? {
        switch self {
        case .zen, .readme, .log: ["Accept": "text/plain"]
        case .activity: nil
        default: ["Accept": "application/json"]
        }
    }

    var sampleData: Data {
        switch self {
        case .zen: Data(DemoData.zen.utf8)
        case .userProfile(let name): Data(#"{"login": "\#(name)", "id": 100, "name": "Sample"}"#.utf8)
        case .userRepositories: Data(#"[{"name": "Repo Name", "pushed_at": "2026-01-01T00:00:00Z"}]"#.utf8)
        case .branches: Data(#"[{"name": "master", "protected": true}]"#.utf8)
        default: Data()
        }
    }
}

extension GitHub: AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? {
        switch self {
        case .currentUser: .bearer
        default: nil
        }
    }
}

struct User: Codable, Equatable, Sendable {
    var login: String
    var id: Int
    var name: String
}

struct Repository: Codable, Equatable, Sendable {
    enum CodingKeys: String, CodingKey {
        case name
        case pushedAt = "pushed_at"
    }

    var name: String
    var pushedAt: Date
}

struct Branch: Codable, Equatable, Sendable {
    var name: String
    var protected: Bool
}

/// A new issue in a request.
struct IssueDraft: Codable, Equatable, Sendable {
    var title: String
    var body: String
}

/// A created issue in a response.
struct Issue: Codable, Equatable, Sendable {
    var number: Int
    var state: String
    var title: String
    var body: String
}

/// The error body of the server.
struct Problem: Codable, Equatable, Sendable {
    var message: String
}

/// A target that is a structure instead of an enum, for a user's profile.
struct Profile: TargetType {
    let name: String

    var baseURL: URL { GitHub.userProfile(name).baseURL }
    var path: String { "/users/\(name)" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var validationType: ValidationType { .successCodes }
    var headers: [String: String]? { ["Accept": "application/json"] }
}

extension GitHub: URLTemplateProviding {
    var urlTemplate: String? {
        switch self {
        case .userProfile: "/users/{name}"
        case .userRepositories: "/users/{name}/repos"
        case .branches: "/repos/{repo}/branches"
        case .createIssue: "/repos/{owner}/{repo}/issues"
        default: path
        }
    }
}
