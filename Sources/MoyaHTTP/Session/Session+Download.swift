import Foundation
import HTTPTypes

extension Session {
    /// Sends a request and writes the response's body to a file.
    ///
    /// The file is written beside its destination and moved there when it is complete, so that the destination never
    /// has a partial file. Any status is a response, and its body is written to the file.
    ///
    /// - Parameters:
    ///   - request: The request, as for ``data(for:body:progress:uploadProgress:)``.
    ///   - destination: Returns the file's URL, when the response's head has arrived.
    ///   - progress: Called as the body arrives, at a limited rate.
    /// - Returns: The response, without data; its ``SessionResponse/file`` has the body.
    /// - Throws: ``DownloadError`` if the file can't be written or moved, and the errors of
    ///   ``data(for:body:progress:uploadProgress:)``.
    public func download(
        _ request: any URLRequestConvertible,
        to destination: @escaping DownloadRequest.Destination,
        progress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        try await download(request, to: destination, record: RequestRecord(), progress: progress)
    }

    /// Sends a request with a record and settings, and writes the response's body to a file.
    ///
    /// - Throws: The errors of ``download(_:to:progress:)``. The response that goes with an error is
    ///   ``RequestRecord/failedResponse``.
    package func download(
        _ request: any URLRequestConvertible,
        to destination: @escaping DownloadRequest.Destination,
        record: RequestRecord,
        settings: RequestSettings = RequestSettings(),
        progress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        let request = UncheckedRequest(try request.asURLRequest())
        let download = Download(
            request.urlRequest,
            to: destination,
            canBeRetried: self.settings.retryingInterceptor != nil || settings.interceptor != nil
                || settings.retryChoice.retrier != nil,
            progress: progress
        )
        do {
            let response = try await send(request, record: record, settings: settings, bodyHandling: .save(download))
            var result = record.makeResponse(response, to: request.urlRequest, data: response.bodyInMemory)
            result.file = await download.savedFile
            result.continuationCount = await download.continuationCount
            return result
        } catch {
            await download.end(error)
            throw error
        }
    }
}
