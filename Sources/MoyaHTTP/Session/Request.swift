import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that was prepared by ``Session/request(_:)`` and runs by itself once it is started.
///
/// It starts when its response is asked for, or, with `startRequestsImmediately: false` in its session, with
/// ``resume()``. Letting go of a request that was never started cancels it; one that runs goes on.
public final class Request: Sendable {
    /// The headers that the session adds.
    public let sessionHeaders: [String: String]

    private let urlRequest: Result<URLRequest, any Error>
    private let startsWhenAsked: Bool
    /// Whether to go: true once resumed, false if cancelled before.
    private let start = OneShot<Bool>()
    private let task: Task<SessionResponse, any Error>

    init(_ convertible: any URLRequestConvertible, session: Session) {
        let urlRequest = Result { try convertible.asURLRequest() }
        self.urlRequest = urlRequest
        sessionHeaders = session.sessionHeaders
        startsWhenAsked = session.startRequestsImmediately
        task = Task { [start] in
            let request = try urlRequest.get()
            let goes = await withTaskCancellationHandler {
                await start.wait()
            } onCancel: {
                start.fulfil(false)
            }
            guard goes else { throw URLError.cancelled(url: request.url) }
            return try await session.data(for: request)
        }
    }

    deinit {
        if start.value == nil { task.cancel() }
    }

    /// The request, unless none could be made.
    public var request: URLRequest? { try? urlRequest.get() }

    /// Starts the exchange. Once is enough.
    public func resume() { start.fulfil(true) }

    /// Ends the exchange, started or not, with `URLError.cancelled`.
    public func cancel() { task.cancel() }

    /// True once ``cancel()`` has been called.
    public var isCancelled: Bool { task.isCancelled }

    /// The response, the same however often one asks.
    ///
    /// - Throws: As ``Session/data(for:body:progress:uploadProgress:)``. Cancelling the task that waits cancels the request.
    public func response() async throws -> SessionResponse {
        if startsWhenAsked { resume() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Gives the request as a `curl` command, with credentials masked.
    @discardableResult
    public func cURLDescription(calling handler: @escaping (String) -> Void) -> Self {
        handler(CURLCommand.text(for: request, sessionHeaders: sessionHeaders))
        return self
    }
}
