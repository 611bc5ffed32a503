/// Something that can be cancelled.
@preconcurrency
public protocol Cancellable: Sendable {
    /// Whether it has been.
    var isCancelled: Bool { get }

    /// Cancels it. Once is enough.
    func cancel()
}
