import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What one of a session's doors asks for.
struct SessionCall: Sendable {
    /// The request as its maker wants it, before anybody adapts it.
    let request: URLRequest
    /// Sent in place of the one in the request.
    let body: HTTPBody?
    /// A response body of up to so many bytes is waited for.
    let bufferLimit: Int
    let options: RequestOptions
    /// Told of the body's way up, in all tries.
    let uploadMeter: ProgressMeter?

    init(
        _ request: URLRequest,
        body: HTTPBody? = nil,
        bufferLimit: Int,
        options: RequestOptions,
        uploadProgress: ProgressHandler? = nil
    ) {
        self.request = request
        self.body = body
        self.bufferLimit = bufferLimit
        self.options = options
        uploadMeter = uploadProgress.map { ProgressMeter(report: $0) }
    }
}

/// What one try has brought.
struct SessionAnswer: Sendable {
    /// The request as it was adapted and prepared.
    let request: URLRequest
    /// What the transport got last: after redirects, of the last hop.
    let sent: TransportRequest
    /// What came back.
    var response: TransportResponse
    /// How it was sent.
    let hops: SessionHops

    /// What the caller gets, with this data.
    func sessionResponse(data: Data = Data()) -> SessionResponse {
        SessionResponse(
            request: request,
            url: sent.url,
            statusCode: response.status,
            headers: response.headers,
            data: data
        )
    }
}

/// A request that failed when the head of a response was there already.
package struct SessionFailure: Error {
    /// What failed.
    package let error: any Error
    /// The head.
    package let response: SessionResponse?
}

extension Error {
    /// What went wrong, without the response that may go with it.
    var withoutResponse: any Error { (self as? SessionFailure)?.error ?? self }
}
