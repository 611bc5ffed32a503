import Foundation
import Moya

/// Counts requests and failures, and numbers each request.
final class RequestCounter: PluginType {
    private let lock = NSLock()
    private var sent = 0
    private var failed = 0

    var summary: String {
        lock.lock()
        defer { lock.unlock() }
        return "\(sent) requests, \(failed) failed"
    }

    func prepare(_ request: URLRequest, target: TargetType) -> URLRequest {
        var request = request
        request.setValue(UUID().uuidString, forHTTPHeaderField: "X-Request-Id")
        return request
    }

    func willSend(_ request: RequestType, target: TargetType) {
        lock.lock()
        defer { lock.unlock() }
        sent += 1
    }

    func didReceive(_ result: Result<Response, MoyaError>, target: TargetType) {
        guard case .failure = result else { return }
        lock.lock()
        defer { lock.unlock() }
        failed += 1
    }
}
