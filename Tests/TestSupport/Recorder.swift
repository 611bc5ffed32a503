import MoyaHTTP

/// Collects values from any thread.
public final class Recorder<Value: Sendable>: Sendable {
    private let state = Locked<[Value]>([])

    /// Creates a recorder without values.
    public init() {}

    /// The values in the order of their addition.
    public var values: [Value] { state.withLock { $0 } }

    /// Adds a value at the end.
    public func add(_ value: Value) { state.withLock { $0.append(value) } }
}
