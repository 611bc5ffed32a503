import Moya

enum GitHub {
    case user(login: String)
    case repositories(login: String)
    case create(NewIssue, owner: String, repository: String)
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
        }
    }

    var method: Moya.Method {
        switch self {
        case .user, .repositories: .get
        case .create: .post
        }
    }

    var task: HTTPTask {
        switch self {
        case .user:
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
}
