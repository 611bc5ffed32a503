import Foundation
import Moya

/// A target that is a structure instead of an enum, for a user's profile.
struct Profile: TargetType {
    let name: String

    var baseURL: URL { GitHub.userProfile(name).baseURL }
    var path: String { "/users/\(name)" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var validationType: ValidationType { .successCodes }
    var headers: [String: String]? { ["Accept": "application/json"] }
}
