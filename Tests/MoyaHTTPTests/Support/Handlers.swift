@testable import MoyaHTTP

extension RequestHandler {
    typealias Send =
        nonisolated(nonsending) @Sendable (UncheckedRequest, RequestContext) async throws -> TransportResponse

    /// Returns a handler that calls a function in place of the stages below.
    static func last(_ send: @escaping Send) -> RequestHandler {
        RequestHandler(LastRequestStage(send: send))
    }
}

extension ExchangeHandler {
    typealias Send =
        nonisolated(nonsending) @Sendable (TransportRequest, RequestContext) async throws -> TransportResponse

    /// Returns a handler that calls a function in place of the stages below.
    static func last(_ send: @escaping Send) -> ExchangeHandler {
        ExchangeHandler(LastExchangeStage(send: send))
    }
}

private struct LastRequestStage: RequestStage {
    let send: RequestHandler.Send

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse { try await send(request, context) }
}

private struct LastExchangeStage: ExchangeStage {
    let send: ExchangeHandler.Send

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse { try await send(request, context) }
}
