import Foundation
import Moya

/// Records the requests and results of a provider without a lock, because immediate stubs run on the caller's thread.
final class Recorder: PluginType {
    private(set) var requests: [URLRequest] = []
    private(set) var results: [Result<Response, MoyaError>] = []

    func willSend(_ request: RequestType, target: TargetType) {
        if let request = request.request { requests.append(request) }
    }

    func didReceive(_ result: Result<Response, MoyaError>, target: TargetType) {
        results.append(result)
    }
}
