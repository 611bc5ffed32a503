import Foundation
import Moya

/// A target with the properties that a case needs.
package struct EntryPointTarget: TypedTargetType {
    package typealias Output = Message
    package typealias ErrorBody = Refusal

    package var baseURL: URL
    package var path = ""
    package var method: Moya.Method { .get }
    package var task: HTTPTask { .requestPlain }
    package var headers: [String: String]? { nil }
    package var sampleData = Data(#"{"message":"sample"}"#.utf8)
    package var validationType: ValidationType = .none

    /// Creates a target; the default URL is never requested.
    package init(_ baseURL: URL? = URL(string: "http://127.0.0.1:9/thing"), validationType: ValidationType = .none) {
        self.baseURL = baseURL ?? URL(fileURLWithPath: "/")
        self.validationType = validationType
    }
}
