import Foundation

/// Whether a provider sends a request or makes up the answer itself.
public enum StubBehavior: Sendable {
    /// It sends the request.
    case never
    /// It answers at once: before `request` returns, unless there is a callback queue.
    case immediate
    /// It answers after a time.
    case delayed(seconds: TimeInterval)
}
