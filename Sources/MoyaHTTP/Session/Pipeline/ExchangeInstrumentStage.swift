import Foundation

/// Lets the session's instruments observe each exchange as it is sent.
struct ExchangeInstrumentStage: ExchangeStage {
    private let instruments: [any ExchangeInstrument]
    private let needsTimings: Bool

    init(_ instruments: [any ExchangeInstrument]) {
        self.instruments = instruments
        needsTimings = instruments.contains { $0.needsTimings }
    }

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        var request = request
        let observations = begin(&request, context)
        guard !observations.isEmpty else { return try await next(request, context) }
        do {
            let response = try await next(request, context)
            for observation in observations { observation.receivedHead(of: response) }
            return observe(response, by: observations, context)
        } catch {
            let end = Self.end(after: error, bodyBytes: 0, context)
            for observation in observations { observation.ended(end) }
            throw error
        }
    }

    /// Begins the observations, which may add fields to the request.
    private func begin(_ request: inout TransportRequest, _ context: RequestContext) -> [any ExchangeObservation] {
        if needsTimings, request.recorder == nil { request.recorder = ExchangeRecorder() }
        let exchange = InstrumentedExchange(
            request: request,
            context: context,
            resendCount: context.record.countExchange(),
            recorder: needsTimings ? request.recorder : nil
        )
        return instruments.compactMap { $0.begin(exchange, adding: &request.headers) }
    }

    /// Returns the same response, and reports the end of its body, now or while it is read.
    private func observe(
        _ response: TransportResponse,
        by observations: [any ExchangeObservation],
        _ context: RequestContext
    ) -> TransportResponse {
        response.observingEnd { count, error in
            let count = count ?? 0
            let end = error.map { Self.end(after: $0, bodyBytes: count, context) } ?? .finished(bodyBytes: count)
            for observation in observations { observation.ended(end) }
        }
    }

    /// Returns the end of an exchange that has thrown an error.
    private static func end(after error: any Error, bodyBytes: Int64, _ context: RequestContext) -> ExchangeEnd {
        let isCancellation =
            error is CancellationError || error.asURLError.map { $0.code == .cancelled && !$0.isShutdown } ?? false
        guard isCancellation else { return .failed(error, bodyBytes: bodyBytes) }
        // A time limit cancels the task of the exchange.
        if let timeout = context.record.expiredLimit ?? context.overdueLimit {
            return .failed(URLError.timedOut(timeout, url: nil), bodyBytes: bodyBytes)
        }
        return .cancelled(bodyBytes: bodyBytes)
    }
}
