/// The cancellation of an operation, and the function that cancels it.
///
/// The owner keeps this value in a state that a lock protects.
///
/// The function is called and released outside of the lock, because it is code of a caller.
public struct CancellationState: Sendable {
    /// A function that cancels the operation.
    public typealias Action = @Sendable () -> Void

    /// Whether the operation was cancelled.
    public private(set) var isCancelled = false
    private var action: Action?

    /// Creates the state of an operation that was not cancelled.
    public init(action: Action? = nil) { self.action = action }

    /// Records that the operation is cancelled, and returns the function to call.
    public mutating func cancel() -> Action? {
        isCancelled = true
        return detach()
    }

    /// Sets the function, and returns whether the operation is cancelled already; the caller must then call the function.
    public mutating func attach(_ action: @escaping Action) -> Bool {
        if !isCancelled { self.action = action }
        return isCancelled
    }

    /// Removes the function of an operation that has ended, and returns it to be released.
    public mutating func detach() -> Action? {
        defer { action = nil }
        return action
    }
}
