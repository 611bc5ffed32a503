import Foundation

/// Reports the beginning and the end of a request to the session's monitors and to the metrics of the request.
struct EventStage: RequestStage {
    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        guard let events = context.events else { return try await next(request, context) }
        if events.hasMonitors { events.report(.queued(request.urlRequest)) }
        do {
            var response = try await next(request, context)
            switch response.body {
            case .complete(let data):
                events.report(.body(bytes: data.count))
                events.report(.finished(status: response.status))
            case .stream where response.isSaved:
                events.report(.finished(status: response.status))
            case .stream(let stream):
                response.body = .stream(events.observing(stream, status: response.status))
            }
            return response
        } catch {
            events.report(
                .failed(error.asCancellation(of: request.urlRequest.url, isCancelled: context.isEnding))
            )
            throw error
        }
    }
}
