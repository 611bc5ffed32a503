import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The stages below a stage: passes a request on to them, and returns the response.
// An object, and not a closure around a closure for each stage: each is one more asynchronous call in each request.
package final class RequestHandler: Sendable {
    private let stage: any RequestStage
    /// The stages below; `nil` below the last one.
    private let next: RequestHandler?

    /// Creates a handler that passes requests to a stage and to those below it.
    ///
    /// - Parameters:
    ///   - stage: The stage.
    ///   - next: The stages below; `nil` for the last one, which passes nothing on.
    package init(_ stage: any RequestStage, next: RequestHandler?) {
        self.stage = stage
        self.next = next
    }

    /// Passes a request on.
    @inline(__always)
    package nonisolated(nonsending) func callAsFunction(
        _ request: OutgoingRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        var handler = self
        while let next = handler.next, !handler.stage.handles(request, context) { handler = next }
        return try await handler.stage.respond(to: request, context: context, next: handler.next ?? handler)
    }
}

/// The stages below a stage for exchanges, like a ``RequestHandler``.
final class ExchangeHandler: Sendable {
    private let stage: any ExchangeStage
    /// The stages below; `nil` below the last one.
    private let next: ExchangeHandler?

    /// Creates a handler, like ``RequestHandler/init(_:next:)``.
    init(_ stage: any ExchangeStage, next: ExchangeHandler?) {
        self.stage = stage
        self.next = next
    }

    /// Passes an exchange on.
    @inline(__always)
    nonisolated(nonsending) func callAsFunction(_ request: TransportRequest, _ context: RequestContext) async throws
        -> TransportResponse
    {
        try await stage.respond(to: request, context: context, next: next ?? self)
    }
}

/// A stage of the pipeline above the redirects: it gets a request, passes it on, and returns the response.
///
/// A stage may change the request and the response, pass the request on several times, or not at all. It keeps no state of
/// a request: what belongs to one request is in local variables and in the ``RequestContext``.
// Stages run on the executor of their caller, `nonisolated(nonsending)`: otherwise each of them costs two switches.
package protocol RequestStage: Sendable {
    /// Handles a request.
    ///
    /// - Parameters:
    ///   - request: The request, as the stage above passes it on.
    ///   - context: What belongs to the request.
    ///   - next: Passes a request on to the stages below.
    /// - Returns: The response.
    /// - Throws: The error that the stage above gets.
    nonisolated(nonsending) func respond(
        to request: OutgoingRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse

    /// Returns whether the stage has something to do for a request; otherwise it is left out.
    func handles(_ request: OutgoingRequest, _ context: RequestContext) -> Bool
}

extension RequestStage {
    package func handles(_ request: OutgoingRequest, _ context: RequestContext) -> Bool { true }
}

/// A stage of the pipeline below the redirects: it handles one exchange with a server, like a ``RequestStage``.
// A protocol of its own, since a generic one costs each request thousands of instructions.
protocol ExchangeStage: Sendable {
    /// Handles an exchange, as a ``RequestStage`` handles a request.
    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse
}

extension [any RequestStage] {
    /// Returns a handler that passes a request through the stages, in this order, and then to the last handler.
    func handler(endingWith last: RequestHandler) -> RequestHandler {
        reversed().reduce(last) { RequestHandler($1, next: $0) }
    }
}

extension [any ExchangeStage] {
    /// Returns a handler that passes an exchange through the stages, in this order, and then to the last handler.
    func handler(endingWith last: ExchangeHandler) -> ExchangeHandler {
        reversed().reduce(last) { ExchangeHandler($1, next: $0) }
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
