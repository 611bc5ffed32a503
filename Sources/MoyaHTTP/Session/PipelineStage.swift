import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes a request on and returns the response.
package typealias PipelineHandler<Message> =
    @Sendable (_ request: Message, _ context: RequestContext) async throws -> TransportResponse

/// One step of the request pipeline: it gets a request, passes it on, and returns the response.
///
/// A stage may change the request and the response, pass the request on several times, or not at all. It keeps no state
/// of a request: what belongs to one request is in local variables and in the ``RequestContext``.
package protocol PipelineStage<Message>: Sendable {
    /// The form of the request: ``OutgoingRequest`` above the redirect stage, ``TransportRequest`` below it.
    associatedtype Message: Sendable

    /// Handles a request.
    ///
    /// - Parameters:
    ///   - request: The request, as the stage above passes it on.
    ///   - context: What belongs to the request.
    ///   - next: Passes a request on to the stages below.
    /// - Returns: The response.
    /// - Throws: The error that the stage above gets.
    func respond(
        to request: Message,
        context: RequestContext,
        next: @escaping PipelineHandler<Message>
    ) async throws -> TransportResponse
}

extension Array {
    /// Returns a handler that passes a request through the stages, in this order, and then to the last handler.
    func handler<Message>(
        endingWith last: @escaping PipelineHandler<Message>
    ) -> PipelineHandler<Message> where Element == any PipelineStage<Message> {
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
