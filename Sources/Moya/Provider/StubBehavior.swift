import Foundation

/// The way in which a provider handles a request: by sending it, or with a sample response.
public enum StubBehavior: Sendable {
    /// Sends the request.
    case never
    /// Completes with the sample response at once: before `request` returns, unless there is a callback queue.
    case immediate
    /// Completes with the sample response after a delay.
    case delayed(seconds: TimeInterval)
}
