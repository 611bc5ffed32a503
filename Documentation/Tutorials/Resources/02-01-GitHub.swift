import Moya

enum GitHub {
    case user(login: String)
    case repositories(login: String)
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
        }
    }

    var method: Moya.Method { .get }

    var task: HTTPTask {
        switch self {
        case .user:
            .requestPlain
        case .repositories:
            .requestParameters(
                parameters: ["sort": "pushed"],
                encoding: URLEncoding.default
            )
        }
    }

    var headers: [String: String]? { nil }
}
