import Moya

enum GitHub {
    case user(login: String)
}

extension GitHub: TargetType {
    var baseURL: URL { URL(string: "https://api.github.com")! }

    var path: String {
        switch self {
        case .user(let login): "users/\(login)"
        }
    }

    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}
