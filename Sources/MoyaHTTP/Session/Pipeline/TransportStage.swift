import Foundation

/// Passes a request to the session's transport, as the last stage, with the time that its attempt has left, reports the progress of
/// its body, and records the time in the response.
struct TransportStage: ExchangeStage {
    let transport: SessionTransport

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next _: ExchangeHandler
    ) async throws -> TransportResponse {
        var request = request
        let now = ContinuousClock.now
        // The limit applies to all exchanges of the attempt together.
        context.limitTime(of: &request, at: now)
        if request.requestTimeout != nil { try request.throwIfOverdue() }
        // A middleware may pass on a request that it has created. Such a request has no target.
        if request.target == nil { request.target = context.target }
        let isObserved = context.settings.uploadMeter != nil || context.events != nil
        var response = try await isObserved ? sendObserved(request, context) : transport.value.send(request)
        response.sendTime = now
        return response
    }

    /// Observes the body and the events of a request, and sends it.
    // For uploads with progress, and sessions with monitors.
    @inline(never)
    private nonisolated(nonsending) func sendObserved(
        _ request: TransportRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        var request = request
        // The rate of the reports is limited, so that the bytes that were read last may not have been reported.
        defer { context.settings.uploadMeter?.flush() }
        // The body is observed below all other stages, because authentication and middleware may read it, too (`BodyProgress.swift`).
        if let meter = context.settings.uploadMeter {
            request.body = request.body?.observingProgress { meter.advance(to: $0, of: $1) }
        }
        guard let events = context.events else { return try await transport.value.send(request) }
        if let urlRequest = context.record.currentRequest { events.report(.sending(urlRequest)) }
        let onConnect = request.onConnect
        request.onConnect = {
            onConnect?()
            events.report(.connected)
        }
        let onInterimResponse = request.onInterimResponse
        request.onInterimResponse = { status, headers in
            onInterimResponse?(status, headers)
            events.report(.interim(status: status, headers: headers))
        }
        let response = try await transport.value.send(request)
        events.report(.head(status: response.status, headers: response.headers), response.info)
        return response
    }
}
