import Foundation
import Moya

/// Keeps the successful responses to GET requests in memory. For a cache that follows HTTP's rules there is more to do.
///
///     Session(middleware: [MemoryCache()])
public actor MemoryCache: HTTPMiddleware {
    private var responses: [URL: TransportResponse] = [:]

    /// Creates an empty cache.
    public init() {}

    /// Handles a request.
    public func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> TransportResponse {
        guard request.method == .get else { return try await next(request) }
        if let response = responses[request.url] { return response }
        let response = try await next(request)
        // A stream can be read once, and belongs to the caller.
        if response.status == 200, case .complete = response.body { responses[request.url] = response }
        return response
    }
}
