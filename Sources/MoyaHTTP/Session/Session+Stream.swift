import Foundation

extension Session {
    /// Sends a request and returns the response when its head has arrived; the body is read as it arrives.
    ///
    /// A slow reader slows the server down. Releasing the body, or leaving the loop over it, cancels the exchange. The
    /// body keeps the session's transport until it has been read, so the session itself may be released.
    ///
    /// - Parameters:
    ///   - request: The request, as for ``data(for:body:progress:uploadProgress:)``.
    ///   - body: A body that is streamed, in place of the one in the request.
    ///   - uploadProgress: Called as for ``data(for:body:progress:uploadProgress:)``.
    /// - Returns: The response without data, and its body.
    /// - Throws: As ``data(for:body:progress:uploadProgress:)``; reading the body throws `URLError`, or the ``RequestBodyError`` of
    ///   a request body that fails meanwhile.
    public func stream(
        for request: any URLRequestConvertible,
        body: HTTPBody? = nil,
        uploadProgress: ProgressHandler? = nil
    ) async throws -> (response: SessionResponse, body: TransportBodyStream) {
        let settings = RequestSettings(uploadProgress: uploadProgress)
        return try await stream(for: request, body: body, record: RequestRecord(), settings: settings)
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
        settings: RequestSettings = RequestSettings()
    ) async throws -> (response: SessionResponse, body: TransportBodyStream) {
        let request = UncheckedRequest(try request.asURLRequest(), body: body)
        let response = try await send(request, record: record, settings: settings, bodyHandling: .stream)
        let head = record.makeResponse(response, to: request.urlRequest, data: response.bodyInMemory)
        return (head, TransportBodyStream(of: response))
    }
}
