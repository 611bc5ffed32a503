import Foundation

extension Session {
    /// Passes a request through the pipeline: the only path of a caller's request, for data, streams, downloads and upgrades.
    @inline(__always)
    nonisolated(nonsending) func send(
        _ request: UncheckedRequest,
        record: RequestRecord,
        settings: RequestSettings,
        bodyHandling: ResponseBodyHandling
    ) async throws -> TransportResponse {
        try runningRequests.begin(for: request.urlRequest.url)
        defer { runningRequests.ended() }
        let context = RequestContext(session: self, settings: settings, record: record, bodyHandling: bodyHandling)
        do {
            let response = try await pipeline.send(request, context)
            // A response that is streamed may precede the end of the request.
            if !bodyHandling.isStream { settings.uploadMeter?.silence() }
            return response
        } catch {
            settings.uploadMeter?.silence()
            throw error.asCancellation(of: request.urlRequest.url, isCancelled: context.isEnding)
        }
    }
}
