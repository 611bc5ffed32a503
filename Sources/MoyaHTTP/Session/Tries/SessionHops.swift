import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The exchanges of one try: the request as it was prepared, and the ones that redirects and challenges lead to.
struct SessionHops {
    private let session: Session
    private let call: SessionCall
    private let adaptation: SessionAdaptation
    private var events: EventReporter?

    private let prepared: URLRequest
    private var request: URLRequest
    private var body: HTTPBody?

    init(
        _ request: URLRequest,
        _ call: SessionCall,
        of session: Session,
        adaptation: SessionAdaptation,
        events: EventReporter?
    ) {
        self.session = session
        self.call = call
        self.adaptation = adaptation
        self.events = events
        prepared = request
        self.request = request
        body = call.body
    }

    mutating func run() async throws -> SessionAnswer {
        call.options.record.prepared(request)
        let sent = try session.transportRequest(for: request, body: body, bufferLimit: call.bufferLimit)
        let response = try await exchange(sent)
        return SessionAnswer(request: prepared, sent: sent, response: response)
    }

    /// Has the transport do one exchange.
    private func exchange(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        if let meter = call.uploadMeter {
            request.body = request.body?.observed { meter.advanced(to: $0, of: $1) }
        }
        guard let events else { return try await session.transport.send(request) }
        events.report(.sending(self.request))
        request.onConnect = { events.report(.connected) }
        let response = try await session.transport.send(request)
        events.report(.head(status: response.status, headers: response.headers))
        return response
    }
}
