import Foundation
import Moya

/// Keeps the successful responses to GET requests in memory.
///
/// It does not follow HTTP's rules for caches.
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
        // A streaming body is not kept: it can be read once, and the caller reads it.
        if response.status == 200, case .complete = response.body { responses[request.url] = response }
        return response
    }
}
