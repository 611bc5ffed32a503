import Foundation

/// Gives each request that is not idempotent a key, unless it has one.
struct IdempotencyKeyStage: RequestStage {
    let keys: IdempotencyKeys

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        var request = request
        request.urlRequest.setValue(try keys.makeValue(), forHTTPHeaderField: IdempotencyKeys.fieldName)
        return try await next(request, context)
    }

    func isNeeded(for request: UncheckedRequest, context: RequestContext) -> Bool {
        // On Linux, changing a request without a URL traps.
        request.urlRequest.url != nil
            && IdempotencyKeys.apply(to: HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET"))
            && !request.urlRequest.hasIdempotencyKey
    }
}
