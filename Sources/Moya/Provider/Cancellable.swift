/// An operation that can be cancelled, such as a request.
@preconcurrency
public protocol Cancellable: Sendable {
    /// Whether the operation was cancelled.
    var isCancelled: Bool { get }

    /// Cancels the operation.
    ///
    /// Further calls have no effect.
    func cancel()
}
