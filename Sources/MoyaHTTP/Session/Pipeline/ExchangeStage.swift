// Parts of the pipeline below the redirects: RequestStage.swift explains stages and handlers.

/// A stage of the pipeline below the redirects: it handles one exchange with a server, like a ``RequestStage``.
protocol ExchangeStage: Sendable {
    /// Handles an exchange, as a ``RequestStage`` handles a request.
    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse
}

/// The stages below a stage for exchanges: passes an exchange on to them, and returns the response.
final class ExchangeHandler: Sendable {
    /// The handler below the last stage: an exchange that the last stage passes on fails.
    static let end = ExchangeHandler()

    private let stage: any ExchangeStage
    /// The stages below; `nil` for the ``end`` only.
    private let next: ExchangeHandler?

    /// Creates a handler that passes exchanges to a stage and to the stages below it.
    init(_ stage: any ExchangeStage, next: ExchangeHandler = .end) {
        self.stage = stage
        self.next = next
    }

    /// Creates the ``end``.
    private init() {
        stage = EndOfPipeline()
        next = nil
    }

    /// Passes an exchange on.
    @inline(__always)
    nonisolated(nonsending) func callAsFunction(_ request: TransportRequest, _ context: RequestContext) async throws
        -> TransportResponse
    {
        // Only the end gets itself, and it passes nothing on.
        try await stage.respond(to: request, context: context, next: next ?? self)
    }
}

extension [any ExchangeStage] {
    /// Returns a handler that passes an exchange through the stages, in this order, and then to the last handler.
    func handler(endingWith last: ExchangeHandler) -> ExchangeHandler {
        reversed().reduce(last) { ExchangeHandler($1, next: $0) }
    }
}
