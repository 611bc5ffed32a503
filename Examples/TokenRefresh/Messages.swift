import Foundation
import Moya

/// The requests of the application.
enum Messages: TargetType {
    case inbox
    case send(text: String)

    var baseURL: URL { return Configuration.baseURL }

    var path: String {
        switch self {
        case .inbox: return "inbox"
        case .send: return "messages"
        }
    }

    var method: Moya.Method {
        switch self {
        case .inbox: return .get
        case .send: return .post
        }
    }

    var task: Task {
        switch self {
        case .inbox: return .requestPlain
        case .send(let text): return .requestParameters(parameters: ["text": text], encoding: JSONEncoding.default)
        }
    }

    var validationType: ValidationType { return .successCodes }

    var headers: [String: String]? { return ["Accept": "application/json"] }
}

/// The server to which the application sends its requests.
enum Configuration {
    static let baseURL = URL(
        string: ProcessInfo.processInfo.environment["MESSAGES_URL"] ?? "https://messages.example.com"
    )!
}
