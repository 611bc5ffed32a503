import Foundation

/// Gives each request that is not idempotent a key, unless it has one, or neither the session nor the request uses keys.
struct IdempotencyKeyStage: RequestStage {
    /// The keys of the session.
    let keys: IdempotencyKeys?

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        var request = request
        if let keys = context.settings.idempotencyKeys ?? keys {
            request.urlRequest.setValue(try keys.makeValue(), forHTTPHeaderField: IdempotencyKeys.fieldName)
        }
        return try await next(request, context)
    }

    func isNeeded(for request: UncheckedRequest, context: RequestContext) -> Bool {
        guard context.usesIdempotencyKeys,
            // On Linux, changing a request without a URL traps.
            request.urlRequest.url != nil
        else { return false }
        let method = HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
        let needsKey =
            context.settings.idempotencyKeys == nil ? IdempotencyKeys.apply(to: method) : !method.isIdempotent
        return needsKey && !request.urlRequest.hasIdempotencyKey
    }
}
