import Foundation
import Moya

enum JournalAPI {
    case login(name: String, password: String)
    case refresh(token: String)
    case entries(page: Int, tag: String?)
    case create(EntryDraft)
    case delete(id: Int)
    case upload(photo: Data, entryID: Int)
    case export(to: URL)
}

extension JournalAPI: TargetType {
    var baseURL: URL { return URL(string: "https://journal.example.com/api")! }

    var path: String {
        switch self {
        case .login: return "login"
        case .refresh: return "refresh"
        case .entries, .create: return "entries"
        case .delete(let id): return "entries/\(id)"
        case .upload(_, let entryID): return "entries/\(entryID)/photo"
        case .export: return "export.zip"
        }
    }

    var method: Moya.Method {
        switch self {
        case .entries, .export: return .get
        case .login, .refresh, .create, .upload: return .post
        case .delete: return .delete
        }
    }

    var task: HTTPTask {
        switch self {
        case .login(let name, let password):
            let parameters = ["name": name, "password": password]
            return .requestParameters(parameters: parameters, encoding: JSONEncoding.default)
        case .refresh(let token):
            return .requestParameters(parameters: ["refresh_token": token], encoding: JSONEncoding.default)
        case .entries(let page, let tag):
            return .requestParameters(parameters: ["page": page, "tag": tag], encoding: URLEncoding.queryString)
        case .create(let draft):
            return .requestJSONEncodable(draft)
        case .delete:
            return .requestPlain
        case .upload(let photo, _):
            let part = MultipartFormData(
                provider: .data(photo),
                name: "photo",
                fileName: "photo.jpg",
                mimeType: "image/jpeg"
            )
            return .uploadMultipart([part])
        case .export(let file):
            return .downloadDestination { _, _ in (file, [.removePreviousFile]) }
        }
    }

    var headers: [String: String]? { return ["Accept": "application/json"] }

    var validationType: ValidationType { return .successCodes }
}
