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
        let now = MonotonicTime.now
        // The limit applies to all exchanges of the attempt together.
        context.limitTime(of: &request, at: now)
        if request.totalTime != nil { try request.throwIfOverdue() }
        // A middleware may pass on a request that it has created. Such a request has no target.
        if request.target == nil { request.target = context.target }
        let isObserved = context.settings.uploadMeter != nil || context.events != nil
        var response = try await isObserved ? sendObserved(request, context) : transport.value.send(request)
        response.sendTime = now
        return response
    }

    /// Observes the body and the events of a request, and sends it.
    // For uploads with progress, and sessions with monitors or metrics.
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
        guard let metrics = events.metrics else {
            return try await sendReporting(request, recorder: request.recorder, to: events, context)
        }
        let counts = context.record.counts
        let recorder = request.makeRecorder(reportingTo: events)
        let number = metrics.begin(request, counts: counts, hedge: events.hedge, recorder: recorder)
        do {
            let response = try await sendReporting(request, recorder: recorder, to: events, context)
            metrics.recordStatus(response.status, of: number)
            return recorder.completing(response)
        } catch {
            metrics.recordError(error, of: number)
            recorder.record(.failed)
            throw error
        }
    }

    /// Sends a request, and reports its events.
    private nonisolated(nonsending) func sendReporting(
        _ request: TransportRequest,
        recorder: ExchangeRecorder?,
        to events: EventReporter,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        var request = request
        if events.hasMonitors, let urlRequest = context.record.currentRequest { events.report(.sending(urlRequest)) }
        request.observe(by: recorder) {
            recorder?.recordUnknownConnection()
            events.report(.connected)
        } onInterimResponse: { status, headers in
            events.report(.interim(status: status, headers: headers))
        }
        let response = try await transport.value.send(request)
        if events.hasMonitors {
            events.report(.head(status: response.status, headers: response.headers), response.info)
        }
        return response
    }
}

extension TransportRequest {
    /// Creates the recorder of an exchange with this request, which also passes the events on to the request's recorder, if a
    /// middleware has set one, and to the monitors that need them.
    fileprivate func makeRecorder(reportingTo events: EventReporter) -> ExchangeRecorder {
        guard recorder != nil || events.needsPhases else { return ExchangeRecorder() }
        return ExchangeRecorder { [recorder] event, instant in
            recorder?.record(event, at: instant)
            if events.needsPhases { events.report(event, at: MonotonicTime(instant)) }
        }
    }
}
