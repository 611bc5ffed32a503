import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A part of the application in a session's request pipeline: it gets a request, passes it on, and returns the
/// response.
///
/// ### Use
///
/// A session accepts middleware at two places. `middleware` is around the whole request: it sees a request once, before
/// adapters, retries and redirects, and its final response. `exchangeMiddleware` is around each exchange with a server:
/// it sees what is sent, with all fields and the final body, and each response, also those of redirects and challenges.
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
/// A middleware may change the request and the response, return a response of its own without calling `next`, throw, or
/// call `next` several times, one after the other, if the request's body can be sent again (``HTTPBody/isRepeatable``).
/// The first middleware of a list is the outermost.
///
/// Around the whole request:
/// - The request is checked before the first middleware, and again before it is sent.
/// - The URL, method, fields and body are those that the request was created with; the session's own fields are added
///   later. A changed request passes all stages below, so that adapters and plugins see it.
/// - The response has its body in memory, if the caller wants data; it is a stream, if the caller wants a stream; and
///   the body of a download is in its file: to read it from the response is an error. The body of a response that a
///   middleware creates is read into memory, or written to the file, like that of any other.
/// - An error is what the caller gets, after all retries.
///
/// Around each exchange:
/// - `Host` and the fields of the body's length are added by the transport, which knows them.
/// - A request that is sent again because it was lost with an idle connection passes once.
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

/// Passes each exchange through a middleware.
struct ExchangeMiddlewareStage: ExchangeStage {
    let middleware: any HTTPMiddleware

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        try await middleware.respond(to: request, context: context) { try await next($0, context) }
    }
}

/// Passes a whole request through a middleware.
struct RequestMiddlewareStage: RequestStage {
    let middleware: any HTTPMiddleware

    nonisolated(nonsending) func respond(
        to request: OutgoingRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        let policies = context.session.policies
        // Without the session's fields: adapters and plugins would take them for the request's own.
        let message = try policies.transportRequest(
            for: request,
            headers: [:],
            bufferLimit: context.bodyHandling.bufferLimit
        )
        return try await middleware.respond(to: message, context: context) { changed in
            try await next(request.changed(from: message, to: changed), context)
        }
    }
}

extension OutgoingRequest {
    /// Returns the request with what a middleware has changed: `old` is the request that it got, `new` the one that it
    /// passes on.
    fileprivate func changed(from old: TransportRequest, to new: TransportRequest) -> OutgoingRequest {
        var request = self
        let setLimits = setLimits
        request.setLimits = { message in
            setLimits?(&message)
            // Only what was changed: adapters may set the others.
            if new.idleTimeout != old.idleTimeout { message.idleTimeout = new.idleTimeout }
            if new.totalTimeout != old.totalTimeout { message.totalTimeout = new.totalTimeout }
            if new.responseBufferLimit != old.responseBufferLimit {
                message.responseBufferLimit = new.responseBufferLimit
            }
            if new.decodingLimits != old.decodingLimits { message.decodingLimits = new.decodingLimits }
            if let onConnect = new.onConnect { message.onConnect = onConnect }
            if let onInterimResponse = new.onInterimResponse { message.onInterimResponse = onInterimResponse }
        }
        if new.url != old.url { request.urlRequest.url = new.url }
        if new.method != old.method { request.urlRequest.httpMethod = new.method.rawValue }
        if new.headers != old.headers {
            request.urlRequest.setFields(new.headers, replacing: old.headers.map(\.name.rawName))
        }
        if new.body != old.body {
            request.urlRequest.httpBodyStream = nil
            // Plugins read the body of the `URLRequest`.
            request.urlRequest.httpBody = new.body?.data
            request.body = new.body?.data == nil ? new.body : nil
        }
        return request
    }
}
