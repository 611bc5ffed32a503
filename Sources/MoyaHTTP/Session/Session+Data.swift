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
    /// them throws by itself ends it in the same way. The error that was thrown is found under `NSUnderlyingErrorKey`.
    ///
    /// - Parameters:
    ///   - request: The request. Its `timeoutInterval` holds unless it is Foundation's default of 60 seconds, in which
    ///     case the configuration's `timeoutIntervalForRequest` does.
    ///   - body: Streamed, in place of the body in the request.
    ///   - progress: Called as the response's body arrives, not more often than is of use.
    ///   - uploadProgress: Called as the body leaves, not more often than is of use.
    /// - Throws: `URLError` (with `dataLengthExceedsMaximum` for a body of more than ``maximumBodySize`` bytes),
    ///   ``RequestBodyError`` for a body that cannot be read, ``RequestValidationError`` before anything is sent, or what
    ///   `asURLRequest()` throws.
    public func data(
        for request: any URLRequestConvertible,
        body: HTTPBody? = nil,
        progress: ProgressHandler? = nil,
        uploadProgress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        do {
            return try await data(
                for: request,
                body: body,
                options: RequestOptions(),
                progress: progress,
                uploadProgress: uploadProgress
            )
        } catch {
            throw error.withoutResponse
        }
    }

    /// - Throws: ``SessionFailure`` once there is a response.
    package func data(
        for request: any URLRequestConvertible,
        body: HTTPBody? = nil,
        options: RequestOptions,
        progress: ProgressHandler? = nil,
        uploadProgress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        let meter = progress.map { ProgressMeter(report: $0) }
        let call = SessionCall(
            try request.asURLRequest(),
            body: body,
            // Whoever watches wants each part as it comes.
            bufferLimit: progress == nil ? TransportRequest.defaultResponseBufferLimit : 0,
            options: options,
            uploadProgress: uploadProgress
        )
        return try await perform(call) { answer, events in
            try await collect(answer, progress: meter, events: events)
        }
    }

    /// Sends a request and hands over the response as soon as its head is there; its body is read as it comes.
    ///
    /// A slow reader slows the server down; letting go of the body, or leaving the loop over it, closes the exchange. The
    /// body keeps the session's transport until it has been read: the session itself need not be kept.
    ///
    /// - Parameters:
    ///   - request: The request, as for ``data(for:body:progress:uploadProgress:)``.
    ///   - body: Streamed, in place of the body in the request.
    ///   - uploadProgress: Called as the body leaves, not more often than is of use.
    /// - Returns: The response without data, and its body.
    /// - Throws: As ``data(for:body:progress:uploadProgress:)``; reading the body throws `URLError`.
    public func stream(
        for request: any URLRequestConvertible,
        body: HTTPBody? = nil,
        uploadProgress: ProgressHandler? = nil
    ) async throws -> (response: SessionResponse, body: TransportBodyStream) {
        do {
            return try await stream(
                for: request,
                body: body,
                options: RequestOptions(),
                uploadProgress: uploadProgress
            )
        } catch {
            throw error.withoutResponse
        }
    }

    /// The body of a response whose status is not accepted is collected, within ``maximumBodySize``, and in the data of the
    /// response; the stream gives it again.
    ///
    /// - Throws: ``SessionFailure`` once there is a response.
    package func stream(
        for request: any URLRequestConvertible,
        body: HTTPBody? = nil,
        options: RequestOptions,
        uploadProgress: ProgressHandler? = nil
    ) async throws -> (response: SessionResponse, body: TransportBodyStream) {
        let call = SessionCall(
            try request.asURLRequest(),
            body: body,
            bufferLimit: 0,
            options: options,
            uploadProgress: uploadProgress
        )
        return try await perform(call) { answer, events in
            guard options.accepts?(answer.response.status) ?? true else {
                let response = try await collect(answer, progress: nil, events: events)
                return (response, TransportBodyStream(.complete(response.data)))
            }
            let body = TransportBodyStream(answer.response.body).keeping(transport, url: answer.sent.url)
            return (answer.sessionResponse(), events?.watching(body, status: answer.response.status) ?? body)
        }
    }
}
