import Foundation

// The parts of the pipeline: a stage, and the handlers that pass a request from one stage to the next.
//
// There are two protocols and two handlers, because the stages above the redirects handle a whole request, and the stages below
// them one exchange with a server. One generic protocol would cost each request thousands of instructions.
//
// A handler is an object, because nested closures would add an asynchronous call for each stage of each request. For the same
// reason a handler leaves out the stages that are not needed for a request
// (``RequestStage/isNeeded(for:context:)``).
//
// Rare paths: the frame of an asynchronous function reserves space for every branch, as long as the request runs. So the usual
// path of a stage is in `respond`, and each rare path is in a function with `@inline(never)`. Progress of uploads, events and the
// reading of streams are rare paths.

/// A stage of the pipeline above the redirects: it gets a request, passes it on, and returns the response.
///
/// A stage may change the request and the response, pass the request on several times, or not at all. It keeps no state of
/// a request, which is in local variables and in the ``RequestContext``.
// Stages are `nonisolated(nonsending)`: they run on the executor of their caller, which saves two switches for each stage.
protocol RequestStage: Sendable {
    /// Handles a request.
    ///
    /// - Parameters:
    ///   - request: The request, as the stage above passes it on.
    ///   - context: The context of the request.
    ///   - next: Passes a request on to the stages below.
    /// - Returns: The response.
    /// - Throws: The error that the stage above gets.
    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse

    /// Returns whether a request passes through the stage; otherwise the stage is left out.
    func isNeeded(for request: UncheckedRequest, context: RequestContext) -> Bool
}

extension RequestStage {
    func isNeeded(for request: UncheckedRequest, context: RequestContext) -> Bool { true }
}

/// The stages below a stage: passes a request on to them, and returns the response.
final class RequestHandler: Sendable {
    /// The handler below the last stage: a request that the last stage passes on fails.
    static let end = RequestHandler()

    private let stage: any RequestStage
    /// The stages below; `nil` for the ``end`` only.
    private let next: RequestHandler?

    /// Creates a handler that passes requests to a stage and to the stages below it.
    init(_ stage: any RequestStage, next: RequestHandler = .end) {
        self.stage = stage
        self.next = next
    }

    /// Creates the ``end``.
    private init() {
        stage = EndOfPipeline()
        next = nil
    }

    /// Passes a request on.
    @inline(__always)
    nonisolated(nonsending) func callAsFunction(
        _ request: UncheckedRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        var handler = self
        while let next = handler.next, !handler.stage.isNeeded(for: request, context: context) { handler = next }
        // Only the end gets itself, and it passes nothing on.
        return try await handler.stage.respond(to: request, context: context, next: handler.next ?? handler)
    }
}

extension [any RequestStage] {
    /// Returns a handler that passes a request through the stages, in this order, and then to the last handler.
    func handler(endingWith last: RequestHandler) -> RequestHandler {
        reversed().reduce(last) { RequestHandler($1, next: $0) }
    }
}

/// The end of a list of stages: fails a request that the last stage passes on, which is a mistake in that stage.
struct EndOfPipeline: RequestStage, ExchangeStage {
    func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse { throw Self.error(url: request.urlRequest.url) }

    func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse { throw Self.error(url: request.url) }

    private static func error(url: URL?) -> URLError {
        .make(.unknown, url: url, reason: "The last stage of the pipeline has passed the request on.")
    }
}
