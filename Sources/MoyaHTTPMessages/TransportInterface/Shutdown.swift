import Foundation

/// The outcome of a graceful shutdown.
public struct ShutdownResult: Equatable, Sendable {
    /// The number of requests that were running at the beginning, and have ended by themselves.
    public var finished: Int
    /// The number of requests that were cancelled, because they were still running at the end of the grace period.
    public var cancelled: Int

    /// Creates a result.
    public init(finished: Int = 0, cancelled: Int = 0) { (self.finished, self.cancelled) = (finished, cancelled) }
}

/// The error of a request to a session or a transport that is shut down.
///
/// It is found under `NSUnderlyingErrorKey` of a `URLError`; see `URLError.isShutdown`. A request that was refused has the
/// code `resourceUnavailable`, and one that was running and has been cancelled the code `cancelled`.
public struct TransportShutdownError: Error, Equatable, Sendable, MaskedError {
    /// Whether the request was running when the grace period ended.
    ///
    /// Otherwise it was not sent.
    public let wasRunning: Bool

    /// Creates an error.
    public init(wasRunning: Bool) { self.wasRunning = wasRunning }

    /// A sentence that says whether the request was sent.
    public var errorDescription: String? {
        wasRunning
            ? "The request was cancelled, because its transport was shut down."
            : "The request was not sent, because its session or transport has been shut down."
    }
}

extension URLError {
    /// Whether the request was refused or cancelled because its session or transport was shut down.
    public var isShutdown: Bool { userInfo[NSUnderlyingErrorKey] is TransportShutdownError }

    /// Returns the error of a request after the shutdown.
    package static func refusedAfterShutdown(url: URL?) -> URLError {
        let cause = TransportShutdownError(wasRunning: false)
        return .make(.resourceUnavailable, url: url, reason: cause.description, cause: cause)
    }

    /// Returns the error of a request that was running at the shutdown.
    package static func cancelledByShutdown(url: URL?) -> URLError {
        let cause = TransportShutdownError(wasRunning: true)
        return .make(.cancelled, url: url, reason: cause.description, cause: cause)
    }
}
