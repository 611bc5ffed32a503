import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Session {
    /// Sends a request and writes the response's body into a file.
    ///
    /// The file is written beside its destination and moved there when it is whole, so that nothing half done is ever found
    /// there. Any status is a response, and its body goes into the file.
    ///
    /// - Parameters:
    ///   - request: The request, as for ``data(for:body:progress:uploadProgress:)``.
    ///   - destination: Asked for the file's place when the response's head is there.
    ///   - progress: Called as the body arrives, not more often than is of use.
    /// - Returns: The response, without data.
    /// - Throws: ``DownloadError`` for what stands in the file's way, and what
    ///   ``data(for:body:progress:uploadProgress:)`` throws.
    public func download(
        _ request: any URLRequestConvertible,
        to destination: @escaping DownloadRequest.Destination,
        progress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        try await download(request, to: destination, options: RequestOptions(), progress: progress)
    }

    /// The body of a response whose status is not accepted makes no file, and is collected in memory.
    ///
    /// - Throws: As without options. The response that goes with an error is ``RequestState/failedResponse``.
    package func download(
        _ request: any URLRequestConvertible,
        to destination: @escaping DownloadRequest.Destination,
        options: RequestOptions,
        progress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        let request = OutgoingRequest(try request.asURLRequest())
        let download = Download(
            to: destination,
            mayBeRetried: interceptor != nil || options.interceptor != nil,
            progress: progress
        )
        do {
            let response = try await send(request, bodyHandling: .save(download), options: options)
            return options.state.response(response, to: request.urlRequest, data: response.collected)
        } catch {
            await download.end(error)
            throw error
        }
    }
}
