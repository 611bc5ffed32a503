import Foundation
import Moya

/// Calls a closure when the first request begins and when the last one ends, for the activity indicator.
final class RequestCountPlugin: PluginType, @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    private let isActiveChanged: @Sendable (Bool) -> Void

    init(isActiveChanged: @escaping @Sendable (Bool) -> Void) {
        self.isActiveChanged = isActiveChanged
    }

    func willSend(_ request: RequestType, target: TargetType) {
        change(by: 1)
    }

    func didReceive(_ result: Result<Moya.Response, MoyaError>, target: TargetType) {
        change(by: -1)
    }

    private func change(by difference: Int) {
        lock.lock()
        let wasActive = count > 0
        count += difference
        let isActive = count > 0
        lock.unlock()
        if wasActive != isActive { isActiveChanged(isActive) }
    }
}
