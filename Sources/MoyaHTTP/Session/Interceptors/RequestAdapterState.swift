import Foundation

/// The context that a ``RequestAdapter`` gets with a request.
public struct RequestAdapterState: Sendable {
    /// The identifier of the request, the same for all attempts and redirects.
    public let requestID: UUID
    /// The session that sends the request.
    public let session: Session
    /// The number of retries: 0 for the first attempt.
    public let retryCount: Int
    /// The number of redirects followed: 0 for the original request.
    public let redirectCount: Int
    /// The value that the request was created from, such as a target, if its creator set one.
    ///
    /// The session does not use it.
    package let target: (any Sendable)?

    /// Creates a state, to test an adapter.
    public init(requestID: UUID = UUID(), session: Session, retryCount: Int = 0, redirectCount: Int = 0) {
        self.requestID = requestID
        self.session = session
        self.retryCount = retryCount
        self.redirectCount = redirectCount
        target = nil
    }

    /// Creates the state of a running request.
    init(_ context: RequestContext) {
        requestID = context.id
        session = context.session
        (retryCount, redirectCount) = context.record.counts
        target = context.target
    }
}
