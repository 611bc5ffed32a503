import Foundation
import Moya

/// A target whose task a test sets.
struct TaskTarget: TargetType {
    var baseURL = URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/")
    var path = ""
    var method: Moya.Method = .post
    var task: HTTPTask
    var headers: [String: String]?
    var validationType: ValidationType = .none
    var sampleData = Data("sample".utf8)
}

extension Endpoint {
    /// Returns an endpoint that sends a task.
    static func sending(
        _ task: HTTPTask,
        method: Moya.Method = .post,
        url: String = "http://h/p",
        headers: [String: String]? = nil
    ) -> Endpoint {
        Endpoint(
            url: url,
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: method,
            task: task,
            httpHeaderFields: headers
        )
    }
}
