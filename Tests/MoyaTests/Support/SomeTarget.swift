import Foundation
import Moya

/// A target whose properties a test sets.
struct SomeTarget: TargetType, Equatable {
    var baseURL = URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/")
    var path = "/thing"
    var method: Moya.Method = .get
    var sampleData = Data("sample".utf8)
    var validationType: ValidationType = .none
    var headers: [String: String]?
    var parameters: [String: String] = [:]
    /// Distinguishes targets with equal requests.
    var tag = ""

    var task: HTTPTask {
        parameters.isEmpty ? .requestPlain : .requestParameters(parameters: parameters, encoding: URLEncoding.default)
    }
}
