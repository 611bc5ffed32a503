import Foundation
import Moya

/// The target that several blocks use without declaring it.
enum MyTarget: TargetType {
    case authenticate
    case list

    var baseURL: URL { URL(string: "https://api.example.com/v1")! }

    var path: String {
        switch self {
        case .authenticate: "session"
        case .list: "items"
        }
    }

    var method: Moya.Method {
        switch self {
        case .authenticate: .post
        case .list: .get
        }
    }

    var task: Task { .requestPlain }

    var sampleData: Data { Data("sample of \(path)".utf8) }

    var headers: [String: String]? { ["Accept": "text/plain"] }
}
