import Foundation

/// The provider's stage of the session's pipeline: in each attempt, plugins prepare the request and get `willSend`.
struct PluginStage: RequestStage {
    let plugins: [any PluginType]
    let target: any TargetType
    let mapped: MappedRequest
    let session: Session
    /// Called with the request of each attempt.
    let onPrepare: @Sendable (PreparedRequest) -> Void

    nonisolated(nonsending) func respond(
        to request: OutgoingRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        let prepared = PreparedRequest(
            plugins.prepare(request.urlRequest, for: target),
            sending: .transfer(mapped.transfer),
            session: session,
            record: context.record
        )
        onPrepare(prepared)
        plugins.willSend(prepared, for: target, in: mapped.scope)
        if case .failure(let error) = mapped.transfer { throw error }
        guard let urlRequest = prepared.request else { throw MoyaError.requestMapping("") }
        var request = request
        request.urlRequest = urlRequest
        return try await next(request, context)
    }
}
