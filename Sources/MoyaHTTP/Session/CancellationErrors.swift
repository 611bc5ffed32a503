import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Adapters, transports and bodies are code of the application, which throws `CancellationError` as Swift's own functions do.
// Who asks for a response is promised `URLError.cancelled`, so everything that a session throws comes through here.
extension Error {
    /// This error, or `URLError.cancelled` if it is about a cancellation, with this error as its cause.
    ///
    /// Whatever a request fails with that has been cancelled is about that. A `CancellationError` is it also where nobody
    /// has cancelled the request: something that it needed was cancelled, and there is nothing to be repeated.
    func asCancellation(of url: URL?, isCancelled: Bool = Task.isCancelled) -> any Error {
        if (self as? URLError)?.code == .cancelled { return self }
        guard isCancelled || isAboutCancellation else { return self }
        return URLError.make(.cancelled, url: url, cause: self)
    }

    private var isAboutCancellation: Bool {
        self is CancellationError || (self as? RequestBodyError)?.reason == .cancelled
    }
}
