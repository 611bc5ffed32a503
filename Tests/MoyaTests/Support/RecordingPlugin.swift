import Foundation
import Moya
import TestSupport

/// A plugin that records each hook with its target, and may change the value.
struct RecordingPlugin: PluginType {
    var name = ""
    let calls: Recorder<String>
    var header: (name: String, value: String)?
    var replacement: (@Sendable (Result<Response, MoyaError>) -> Result<Response, MoyaError>)?
    var onHook: (@Sendable (String) -> Void)?

    private func note(_ hook: String, _ target: any TargetType) {
        let tag = (target as? SomeTarget)?.tag ?? ""
        calls.add([name, hook, tag].filter { !$0.isEmpty }.joined(separator: " "))
        onHook?(hook)
    }

    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        note("prepare", target)
        var request = request
        if let header { request.addValue(header.value, forHTTPHeaderField: header.name) }
        return request
    }

    func willSend(_ request: any RequestType, target: any TargetType) { note("willSend", target) }

    func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) { note("didReceive", target) }

    func process(_ result: Result<Response, MoyaError>, target: any TargetType) -> Result<Response, MoyaError> {
        note("process", target)
        return replacement?(result) ?? result
    }
}
