import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes a request on to the stages below, and returns the response.
package typealias RequestHandler =
    @Sendable (_ request: OutgoingRequest, _ context: RequestContext) async throws -> TransportResponse

/// Passes an exchange on to the stages below, and returns the response.
typealias ExchangeHandler =
    @Sendable (_ request: TransportRequest, _ context: RequestContext) async throws -> TransportResponse

/// A stage of the pipeline above the redirects: it gets a request, passes it on, and returns the response.
///
/// A stage may change the request and the response, pass the request on several times, or not at all. It keeps no state of
/// a request: what belongs to one request is in local variables and in the ``RequestContext``.
package protocol RequestStage: Sendable {
    /// Handles a request.
    ///
    /// - Parameters:
    ///   - request: The request, as the stage above passes it on.
    ///   - context: What belongs to the request.
    ///   - next: Passes a request on to the stages below.
    /// - Returns: The response.
    /// - Throws: The error that the stage above gets.
    func respond(
        to request: OutgoingRequest,
        context: RequestContext,
        next: @escaping RequestHandler
    ) async throws -> TransportResponse
}

/// A stage of the pipeline below the redirects: it handles one exchange with a server, like a ``RequestStage``.
// A protocol of its own, since a generic one costs each request thousands of instructions.
protocol ExchangeStage: Sendable {
    /// Handles an exchange, as a ``RequestStage`` handles a request.
    func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: @escaping ExchangeHandler
    ) async throws -> TransportResponse
}

extension [any RequestStage] {
    /// Returns a handler that passes a request through the stages, in this order, and then to the last handler.
    func handler(endingWith last: @escaping RequestHandler) -> RequestHandler {
        reversed().reduce(last) { next, stage in
            { try await stage.respond(to: $0, context: $1, next: next) }
        }
    }
}

extension [any ExchangeStage] {
    /// Returns a handler that passes an exchange through the stages, in this order, and then to the last handler.
    func handler(endingWith last: @escaping ExchangeHandler) -> ExchangeHandler {
        reversed().reduce(last) { next, stage in
            { try await stage.respond(to: $0, context: $1, next: next) }
        }
    }
}

/// A request above the redirect stage: as adapters and plugins see it, and not checked yet.
package struct OutgoingRequest: Sendable {
    /// The request.
    ///
    /// Its body is sent unless there is a ``body``.
    package var urlRequest: URLRequest
    /// A body that replaces the one in ``urlRequest``.
    package var body: HTTPBody?
    /// Sets the limits that middleware has changed.
    var setLimits: (@Sendable (inout TransportRequest) -> Void)?

    /// Creates a request.
    package init(_ urlRequest: URLRequest, body: HTTPBody? = nil) {
        self.urlRequest = urlRequest
        self.body = body
    }

    /// Whether the request can be sent again.
    var isBodyRepeatable: Bool { body?.isRepeatable ?? (urlRequest.httpBodyStream == nil) }
}
