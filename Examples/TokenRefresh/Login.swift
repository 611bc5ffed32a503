import Alamofire
import Foundation
import Moya

/// The request for a new token, which is sent without an interceptor.
struct Login: TargetType {
    let refreshToken: String

    var baseURL: URL { return Configuration.baseURL }
    var path: String { return "token" }
    var method: Moya.Method { return .post }
    var validationType: ValidationType { return .successCodes }
    var headers: [String: String]? { return nil }

    var task: Task {
        let parameters: Parameters = ["grant_type": "refresh_token", "refresh_token": refreshToken]
        return .requestParameters(parameters: parameters, encoding: URLEncoding.httpBody)
    }

    struct Token: Decodable {
        let token: String
    }
}
