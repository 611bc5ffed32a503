import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Prepares the request of each attempt for the creator of the request: a provider passes it through its plugins.
package protocol RequestPreparation: Sendable {
    /// Returns the request to send.
    ///
    /// - Parameters:
    ///   - request: The request of an attempt, after the adapters.
    ///   - record: The record of the request.
    /// - Returns: The prepared request.
    /// - Throws: The error that the attempt fails with.
    func prepare(_ request: URLRequest, record: RequestRecord) throws -> URLRequest
}

/// Prepares each attempt by the ``RequestPreparation`` that came with the request.
struct PreparationStage: RequestStage {
    nonisolated(nonsending) func respond(
        to request: OutgoingRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        var request = request
        if let preparation = context.settings.preparation {
            request.urlRequest = try preparation.prepare(request.urlRequest, record: context.record)
        }
        return try await next(request, context)
    }

    func isNeeded(for request: OutgoingRequest, context: RequestContext) -> Bool {
        context.settings.preparation != nil
    }
}
