import Foundation

/// Gives a request whose method is not idempotent a key, unless it has one.
///
/// The keys are those of the request, or those of the session, which only POST and PATCH get.
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
