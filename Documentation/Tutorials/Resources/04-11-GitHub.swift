import Moya

enum GitHub {
    case user(login: String)
    case repositories(login: String)
    case create(NewIssue, owner: String, repository: String)
    case currentUser
    case emojis
}

extension GitHub: TargetType {
    var baseURL: URL {
        let address = ProcessInfo.processInfo.environment["GITHUB_API_URL"]
        return URL(string: address ?? "https://api.github.com")!
    }

    var path: String {
        switch self {
        case .user(let login): "users/\(login)"
        case .repositories(let login): "users/\(login)/repos"
        case .create(_, let owner, let name): "repos/\(owner)/\(name)/issues"
        case .currentUser: "user"
        case .emojis: "emojis"
        }
    }

    var method: Moya.Method {
        switch self {
        case .user, .repositories, .currentUser, .emojis: .get
        case .create: .post
        }
    }

    var task: HTTPTask {
        switch self {
        case .user, .currentUser, .emojis:
            .requestPlain
        case .repositories:
            .requestParameters(
                parameters: ["sort": "pushed"],
                encoding: URLEncoding.default
            )
        case .create(let issue, _, _):
            .requestJSONEncodable(issue)
        }
    }

    var headers: [String: String]? { nil }
    var validationType: ValidationType { .successCodes }

    var sampleData: Data {
        switch self {
        case .user, .currentUser:
            Data(#"{"login": "octocat", "name": "The Octocat"}"#.utf8)
        case .repositories:
            Data("[]".utf8)
        case .create:
            Data(#"{"number": 1, "title": "A typo"}"#.utf8)
        case .emojis:
            Data("{}".utf8)
        }
    }
}

extension GitHub: AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? {
        switch self {
        case .create, .currentUser: .bearer
        case .user, .repositories, .emojis: nil
        }
    }
}
