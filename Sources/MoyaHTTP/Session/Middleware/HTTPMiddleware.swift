import Foundation
import HTTPTypes

/// A part of the application in a session's request pipeline: it gets a request, passes it on, and returns the
/// response.
///
/// ### Use
///
/// A session accepts middleware at two places. `middleware` is around the whole request: it sees a request once, before
/// adapters, retries and redirects, and its final response. `exchangeMiddleware` is around each exchange with a server:
/// it sees each request as it is sent, with all fields and the final body, and each response, also those of redirects and
/// challenges.
///
///     let session = Session(middleware: [RequestID()], exchangeMiddleware: [Signature(key: key)])
///
/// ### Write your own
///
///     struct RequestID: HTTPMiddleware {
///         func respond(
///             to request: TransportRequest,
///             context: RequestContext,
///             next: @escaping Next
///         ) async throws -> TransportResponse {
///             var request = request
///             request.headers[HTTPField.Name("X-Request-ID")!] = context.id.uuidString
///             return try await next(request)
///         }
///     }
///
/// A middleware may change the request and the response, return its own response without calling `next`, throw, or
/// call `next` several times, one after the other, if the request's body can be sent again (``HTTPBody/isRepeatable``).
/// The first middleware of a list is the outermost.
///
/// Around the whole request:
/// - The request is checked before the first middleware, and again before it is sent.
/// - The URL, method, fields and body are the values that the request was created with; the session's own fields are added
///   later. A changed request passes all stages below, so that adapters and plugins see it.
/// - The response has its body in memory, if the caller wants data; it is a stream, if the caller wants a stream; and
///   the body of a download is in its file, and reading it from the response is an error. The body of a response that a
///   middleware creates is read into memory, or written to the file, like any other body.
/// - An error is final: all retries have been made, and the caller gets it.
///
/// Around each exchange:
/// - `Host` and the fields of the body's length are added by the transport, which knows them.
/// - The cache is above: a response is not stored if a middleware has changed `Authorization`, `Host` or a field that `Vary` names.
/// - A request that is sent again because its connection was lost passes once.
/// - The body of a response arrives as it is read, decoded (``ContentDecodingLimits``).
/// - Redirects, cookies and credentials belong to the URL of the request above: change a URL around the whole request.
public protocol HTTPMiddleware: Sendable {
    /// Passes a request on and returns the response.
    typealias Next = @Sendable (_ request: TransportRequest) async throws -> TransportResponse

    /// Handles a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The context of the request, such as its ID and the provider's target.
    ///   - next: Passes a request on.
    /// - Returns: The response.
    /// - Throws: The error that the stages above get.
    func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> TransportResponse
}
