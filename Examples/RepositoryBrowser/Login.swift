import Foundation
import Moya

/// The application's requests to the authorization server.
enum Login: TargetType {
    case refresh(device: String)

    struct Token: Decodable {
        let token: String
        let lifetime: TimeInterval
    }

    var baseURL: URL { return URL(string: "https://login.example.com")! }
    var path: String { return "/token" }
    var method: Moya.Method { return .post }
    var headers: [String: String]? { return nil }
    var sampleData: Data { return "{\"token\": \"fresh\", \"lifetime\": 3600}".data(using: .utf8)! }

    var task: Task {
        switch self {
        case .refresh(let device):
            return .requestParameters(parameters: ["device": device], encoding: JSONEncoding.default)
        }
    }
}
