import Foundation

extension Session {
    /// Sends a request and collects the response.
    ///
    /// Any status is a response, 404 and 500 included. Cancelling the task cancels the exchange, and ends the request with
    /// `URLError.cancelled`, whatever an interceptor, a transport or a body throws then. A `CancellationError` that one of
    /// them throws without a cancellation ends it in the same way. The error is found under `NSUnderlyingErrorKey`.
    ///
    /// - Parameters:
    ///   - request: The request. Its `timeoutInterval` is used unless it is Foundation's default of 60 seconds; then
    ///     the configuration's `timeoutIntervalForRequest` is used.
    ///   - body: A body that is streamed, in place of the one in the request.
    ///   - progress: Called as the response's body arrives, at a limited rate.
    ///   - uploadProgress: Called as the transport reads or sends the body, at a limited rate.
    /// - Returns: The response with its whole body.
    /// - Throws: `URLError` (with `dataLengthExceedsMaximum` for a body of more than ``maximumBodySize`` bytes),
    ///   ``RequestBodyError`` for a body that cannot be read, ``RequestValidationError`` or ``TransportConfigurationError`` before
    ///   anything is sent, the error of `asURLRequest()`, or the error of an interceptor, a middleware, a redirect handler or a
    ///   custom transport.
    public func data(
        for request: any URLRequestConvertible,
        body: HTTPBody? = nil,
        progress: ProgressHandler? = nil,
        uploadProgress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        let settings = RequestSettings(uploadProgress: uploadProgress)
        return try await data(for: request, body: body, record: RequestRecord(), settings: settings, progress: progress)
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
        progress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        let request = UncheckedRequest(try request.asURLRequest(), body: body)
        let response = try await send(
            request,
            record: record,
            settings: settings,
            bodyHandling: .collect(progress: progress.map { ProgressMeter(report: $0) })
        )
        return record.makeResponse(response, to: request.urlRequest, data: response.bodyInMemory)
    }
}
