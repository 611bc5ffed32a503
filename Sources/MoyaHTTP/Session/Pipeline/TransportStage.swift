import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes a request to the session's transport: the end of the pipeline.
struct TransportStage: ExchangeStage {
    let transport: SessionTransport

    nonisolated(nonsending) func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: ExchangeHandler
    ) async throws -> TransportResponse {
        // A middleware may pass on a request of its own, without the target.
        let lacksTarget = request.target == nil && context.state.target != nil
        guard lacksTarget || context.uploadMeter != nil || context.events != nil else {
            return try await transport.value.send(request)
        }
        return try await sendObserved(request, context)
    }

    /// Sends a request with a target, or whose progress or events are reported.
    // A function of its own: each value that is kept while a request runs takes room in the usual case, too.
    @inline(never)
    private nonisolated(nonsending) func sendObserved(
        _ request: TransportRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        var request = request
        if request.target == nil { request.target = context.state.target }
        // Here, and not above: a body is also read for its hash, or by middleware.
        if let meter = context.uploadMeter {
            request.body = request.body?.observed { meter.advanced(to: $0, of: $1) }
        }
        guard let events = context.events else { return try await transport.value.send(request) }
        if let urlRequest = context.state.request { events.report(.sending(urlRequest)) }
        let onConnect = request.onConnect
        request.onConnect = {
            onConnect?()
            events.report(.connected)
        }
        let onInterimResponse = request.onInterimResponse
        request.onInterimResponse = { status, headers in
            onInterimResponse?(status, headers)
            events.report(.interim(status: status, headers: headers))
        }
        let response = try await transport.value.send(request)
        events.report(.head(status: response.status, headers: response.headers), response.info)
        return response
    }
}

/// The transport of a session: the application's, or one that is created when it is first needed.
final class SessionTransport: Sendable {
    private enum Source: Sendable {
        case given(any HTTPTransport)
        case created(by: @Sendable () -> any HTTPTransport, LazyValue<any HTTPTransport>)
    }

    private let source: Source

    init(_ transport: any HTTPTransport) { source = .given(transport) }

    init(creating create: @escaping @Sendable () -> any HTTPTransport) { source = .created(by: create, LazyValue()) }

    /// The transport, if it has been created.
    var current: (any HTTPTransport)? {
        switch source {
        case .given(let transport): transport
        case .created(_, let transport): transport.current
        }
    }

    /// The transport, which is created if there is none yet.
    var value: any HTTPTransport {
        switch source {
        case .given(let transport): transport
        case .created(let create, let transport): transport.value(creating: create)
        }
    }
}

/// A replacement for a transport that could not be created: every request fails with the error of its creation.
struct RefusingTransport: HTTPTransport {
    let error: TransportConfigurationError

    func send(_ request: TransportRequest) async throws -> TransportResponse { throw error }

    func preconnect(to url: URL, connections: Int) async throws { throw error }

    func shutdown() async {}
}
