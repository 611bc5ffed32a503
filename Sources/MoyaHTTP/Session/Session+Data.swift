import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Session {
    /// Sends a request and collects the response.
    ///
    /// Any status is a response, 404 and 500 included. Cancelling the task closes the exchange.
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
        let urlRequest = try request.asURLRequest()
        // Whoever watches wants each part as it comes.
        let bufferLimit = progress == nil ? TransportRequest.defaultResponseBufferLimit : 0
        let response = try await send(
            transportRequest(for: urlRequest, body: body, bufferLimit: bufferLimit),
            uploadProgress: uploadProgress
        )
        return SessionResponse(
            response,
            to: urlRequest,
            data: try await collect(response, url: urlRequest.url, progress: progress)
        )
    }

    /// Sends a request and hands over the response as soon as its head is there; its body is read as it comes.
    ///
    /// A slow reader slows the server down; letting go of the body, or leaving the loop over it, closes the exchange.
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
        let urlRequest = try request.asURLRequest()
        let response = try await send(
            transportRequest(for: urlRequest, body: body, bufferLimit: 0),
            uploadProgress: uploadProgress
        )
        return (SessionResponse(response, to: urlRequest), TransportBodyStream(response.body))
    }
}

extension Session {
    /// Reads the rest of a streamed response after all, within ``maximumBodySize``.
    package func collect(_ response: SessionResponse, _ body: TransportBodyStream) async throws -> SessionResponse {
        let transportResponse = TransportResponse(
            status: response.statusCode,
            headers: response.headers,
            body: .stream(body)
        )
        let data = try await collect(transportResponse, url: response.request.url, progress: nil)
        return SessionResponse(transportResponse, to: response.request, data: data)
    }
}

extension SessionResponse {
    init(_ response: TransportResponse, to request: URLRequest, data: Data = Data()) {
        self.init(request: request, statusCode: response.status, headers: response.headers, data: data)
    }
}
