// swift-format-ignore-file
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    public init(initialState: State) { fatalError() }
    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R { fatalError() }
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R { fatalError() }
}
