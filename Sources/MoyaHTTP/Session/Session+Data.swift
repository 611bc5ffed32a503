import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Session {
    /// Sends a request and collects the response.
    ///
    /// Any status is a response, 404 and 500 included. Cancelling the task closes the exchange, and ends the request with
    /// `URLError.cancelled`, whatever an interceptor, a transport or a body throws then. A `CancellationError` that one of
    /// them throws without a cancellation ends it in the same way. The error is found under `NSUnderlyingErrorKey`.
    ///
    /// The progress of an upload counts the bytes of the body that the transport has read to send them; some of them may still be in
    /// its buffers. It never decreases: a retry, a redirect or a resend reads the body again from its beginning, and the next report
    /// follows when more bytes have been read than before.
    ///
    /// - Parameters:
    ///   - request: The request. Its `timeoutInterval` is used unless it is Foundation's default of 60 seconds; then
    ///     the configuration's `timeoutIntervalForRequest` is used.
    ///   - body: A body that is streamed, in place of the one in the request.
    ///   - progress: Called as the response's body arrives, at a limited rate.
    ///   - uploadProgress: Called as the transport reads the body to send it, at a limited rate.
    /// - Returns: The response with its whole body.
    /// - Throws: `URLError` (with `dataLengthExceedsMaximum` for a body of more than ``maximumBodySize`` bytes),
    ///   ``RequestBodyError`` for a body that cannot be read, ``RequestValidationError`` before anything is sent, or
    ///   the error of `asURLRequest()`.
    public func data(
        for request: any URLRequestConvertible,
        body: HTTPBody? = nil,
        progress: ProgressHandler? = nil,
        uploadProgress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        try await data(
            for: request,
            body: body,
            record: RequestRecord(),
            progress: progress,
            uploadProgress: uploadProgress
        )
    }

    /// Sends a request with a record and settings, and collects the response.
    ///
    /// - Throws: The errors of ``data(for:body:progress:uploadProgress:)``. The response that goes with an error is
    ///   ``RequestRecord/failedResponse``.
    package nonisolated(nonsending) func data(
        for request: any URLRequestConvertible,
        body: HTTPBody? = nil,
        record: RequestRecord,
        settings: RequestSettings = RequestSettings(),
        progress: ProgressHandler? = nil,
        uploadProgress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        let request = OutgoingRequest(try request.asURLRequest(), body: body)
        var settings = settings
        settings.bodyHandling = .collect(progress: progress.map { ProgressMeter(report: $0) })
        settings.uploadMeter = uploadProgress.map { ProgressMeter(report: $0) }
        let response = try await send(request, record: record, settings: settings)
        return record.makeResponse(response, to: request.urlRequest, data: response.collected)
    }

    /// Sends a request and returns the response when its head has arrived; the body is read as it arrives.
    ///
    /// A slow reader slows the server down. Releasing the body, or leaving the loop over it, closes the exchange. The
    /// body keeps the session's transport until it has been read, so the session itself may be released.
    ///
    /// - Parameters:
    ///   - request: The request, as for ``data(for:body:progress:uploadProgress:)``.
    ///   - body: A body that is streamed, in place of the one in the request.
    ///   - uploadProgress: Called as for ``data(for:body:progress:uploadProgress:)``.
    /// - Returns: The response without data, and its body.
    /// - Throws: As ``data(for:body:progress:uploadProgress:)``; reading the body throws `URLError`.
    public func stream(
        for request: any URLRequestConvertible,
        body: HTTPBody? = nil,
        uploadProgress: ProgressHandler? = nil
    ) async throws -> (response: SessionResponse, body: TransportBodyStream) {
        try await stream(for: request, body: body, record: RequestRecord(), uploadProgress: uploadProgress)
    }

    /// Sends a request with a record and settings, and returns the response when its head has arrived.
    ///
    /// The body of a response whose status is not accepted is read into the response's data, within
    /// ``maximumBodySize``; the stream returns it again.
    ///
    /// - Throws: The errors of ``data(for:body:progress:uploadProgress:)``. The response that goes with an error is
    ///   ``RequestRecord/failedResponse``.
    package nonisolated(nonsending) func stream(
        for request: any URLRequestConvertible,
        body: HTTPBody? = nil,
        record: RequestRecord,
        settings: RequestSettings = RequestSettings(),
        uploadProgress: ProgressHandler? = nil
    ) async throws -> (response: SessionResponse, body: TransportBodyStream) {
        let request = OutgoingRequest(try request.asURLRequest(), body: body)
        var settings = settings
        settings.bodyHandling = .stream
        settings.uploadMeter = uploadProgress.map { ProgressMeter(report: $0) }
        let response = try await send(request, record: record, settings: settings)
        let head = record.makeResponse(response, to: request.urlRequest, data: response.collected)
        return (head, TransportBodyStream(of: response))
    }

    /// Passes a request through the pipeline: the only path to the transport, for data, streams and downloads.
    @inline(__always)
    nonisolated(nonsending) func send(
        _ request: OutgoingRequest,
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
