import Foundation

// Adapters, transports and bodies are code of the application, which may throw `CancellationError` as Swift's own functions do.
// Callers of a session get `URLError.cancelled` instead. The conversion has these places:
//
//     Session.send                     each error that a session throws
//     TransportBodyStream.keeping      each error of a body that the caller reads
//     EventStage                       the error that monitors see
//     RetryStage                       a cancellation, about which no retrier decides
//     CircuitBreakerStage              the error that a circuit breaker counts
//     RequestContext.throwIfEnding     a cancellation while no exchange is running; `ResendStage` checks its task
//     MoyaProvider.sendInNewTask       a result that a transport has returned in spite of the cancellation
//     MoyaError.replacingCancellation  a `CancellationError` of a plugin, an endpoint or a target
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
