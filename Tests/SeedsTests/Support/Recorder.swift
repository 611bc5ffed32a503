import Foundation
import Moya

/// Keeps what a provider sends and gets. Immediate stubs run on the caller's thread, so it needs no lock.
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
