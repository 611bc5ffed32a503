import Foundation
import MoyaHTTP

/// Collects values from any thread.
package final class Recorder<Value: Sendable>: Sendable {
    private let state = Locked<[Value]>([])

    package init() {}

    package var values: [Value] { state.withLock { $0 } }

    package func add(_ value: Value) { state.withLock { $0.append(value) } }
}
