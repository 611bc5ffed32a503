import Foundation

// Adapters, transports and bodies are code of the application, which may throw `CancellationError` as Swift's own
// functions do. Callers of a session get `URLError.cancelled` instead, so all errors that a session throws are
// converted here.
extension Error {
    /// Returns this error or, if it is about a cancellation, `URLError.cancelled` with this error as its cause.
    ///
    /// Any error of a cancelled request is about the cancellation. So is a `CancellationError` of a request that was
    /// not cancelled: something that the request needed was cancelled, and there is nothing to retry.
    func asCancellation(of url: URL?, isCancelled: Bool = Task.isCancelled) -> any Error {
        if let error = asURLError, error.code == .cancelled { return error }
        guard isCancelled || isAboutCancellation else { return self }
        return URLError.make(.cancelled, url: url, cause: self)
    }

    private var isAboutCancellation: Bool {
        self is CancellationError || (self as? RequestBodyError)?.reason == .cancelled
    }
}
