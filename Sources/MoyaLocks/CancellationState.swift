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
    /// Whether the operation has ended, so that there is nothing left to cancel.
    private var isEnded = false
    private var action: Action?

    /// Creates the state of an operation that was not cancelled.
    public init(action: Action? = nil) { self.action = action }

    /// Records that the operation is cancelled, and returns the function to call.
    public mutating func cancel() -> Action? {
        isCancelled = true
        return detach()
    }

    /// Sets the function, and returns whether the operation is cancelled already; the caller must then call the function.
    ///
    /// It does nothing after ``operationEnded()``: another thread may have ended the operation first, and nothing would release the function.
    public mutating func attach(_ action: @escaping Action) -> Bool {
        guard !isEnded else { return false }
        if !isCancelled { self.action = action }
        return isCancelled
    }

    /// Handles the end of the operation, and returns the function to be released.
    public mutating func operationEnded() -> Action? {
        isEnded = true
        return detach()
    }

    /// Removes the function, and returns it to be released.
    ///
    /// Another one may follow.
    public mutating func detach() -> Action? {
        defer { action = nil }
        return action
    }
}
