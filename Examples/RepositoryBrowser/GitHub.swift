import Foundation
import Moya

/// The application's requests to GitHub.
enum GitHub: TargetType {
    case zen
    case profile(login: String)
    case repositories(login: String, page: Int)
    case createIssue(repository: String, issue: NewIssue)
    case star(repository: String)
    case uploadAvatar(Data)
    case archive(repository: String)

    var baseURL: URL { return URL(string: "https://api.github.com")! }

    var path: String {
        switch self {
        case .zen: return "/zen"
        case .profile(let login): return "/users/\(login)"
        case .repositories(let login, _): return "/users/\(login)/repos"
        case .createIssue(let repository, _): return "/repos/\(repository)/issues"
        case .star(let repository): return "/user/starred/\(repository)"
        case .uploadAvatar: return "/user/avatar"
        case .archive(let repository): return "/repos/\(repository)/zipball"
        }
    }

    var method: Moya.Method {
        switch self {
        case .zen, .profile, .repositories, .archive: return .get
        case .createIssue, .uploadAvatar: return .post
        case .star: return .put
        }
    }

    var task: Task {
        switch self {
        case .zen, .profile, .star:
            return .requestPlain
        case .repositories(_, let page):
            return .requestParameters(
                parameters: ["sort": "pushed", "page": page, "per_page": 2],
                encoding: URLEncoding.default
            )
        case .createIssue(_, let issue):
            return .requestJSONEncodable(issue)
        case .uploadAvatar(let image):
            let part = MultipartFormData(
                provider: .data(image),
                name: "avatar",
                fileName: "avatar.png",
                mimeType: "image/png"
            )
            return .uploadMultipart([part])
        case .archive:
            return .downloadDestination { temporaryURL, response in
                let name = response.suggestedFilename ?? temporaryURL.lastPathComponent
                let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
                return (file, [.removePreviousFile, .createIntermediateDirectories])
            }
        }
    }

    var validationType: ValidationType { return .successCodes }

    var headers: [String: String]? { return ["Accept": "application/vnd.github+json"] }

    var sampleData: Data {
        switch self {
        case .zen:
            return "Half measures are as bad as nothing at all.".data(using: .utf8)!
        case .profile(let login):
            return "{\"login\": \"\(login)\", \"id\": 100, \"name\": \"Ash\"}".data(using: .utf8)!
        case .repositories(_, let page):
            guard page < 3 else { return "[]".data(using: .utf8)! }
            return """
                [{"name": "moya-\(page)a", "stargazers_count": \(page)5},
                 {"name": "moya-\(page)b", "stargazers_count": \(page)}]
                """.data(using: .utf8)!
        case .createIssue(_, let issue):
            return "{\"number\": 1347, \"title\": \"\(issue.title)\"}".data(using: .utf8)!
        case .star, .uploadAvatar, .archive:
            return Data()
        }
    }
}

extension GitHub: AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? {
        switch self {
        case .zen, .profile, .archive: return nil
        case .repositories, .createIssue, .star, .uploadAvatar: return .bearer
        }
    }
}
