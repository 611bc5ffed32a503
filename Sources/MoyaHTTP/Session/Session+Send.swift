import Foundation

extension Session {
    /// Passes a request through the pipeline: the only path to the transport, for data, streams and downloads.
    @inline(__always)
    nonisolated(nonsending) func send(
        _ request: UncheckedRequest,
        record: RequestRecord,
        settings: RequestSettings
    ) async throws -> TransportResponse {
        guard running.begin() else { throw URLError.refusedAfterShutdown(url: request.urlRequest.url) }
        defer { running.end() }
        let context = RequestContext(session: self, settings: settings, record: record)
        do {
            return try await pipeline.send(request, context)
        } catch {
            throw error.asCancellation(of: request.urlRequest.url, isCancelled: context.isCancelled)
        }
    }
}

extension TransportResponse {
    /// The body, if it is in memory.
    var collected: Data { if case .complete(let data) = body { data } else { Data() } }
}
