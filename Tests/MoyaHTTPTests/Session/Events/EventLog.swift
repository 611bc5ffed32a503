import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Stores events.
final class EventLog: EventMonitor {
    private let log = Locked<[RequestEvent]>([])

    var events: [RequestEvent] { log.withLock { $0 } }

    func record(_ event: RequestEvent) { log.withLock { $0.append(event) } }

    /// Checks the events; several consecutive parts of a body are expected as one `body`.
    func expect(_ expected: [String], _ kind: TransportKind, sourceLocation: SourceLocation = #_sourceLocation) {
        var lines = events.map(\.summary)
        var expected = expected
        if kind == .urlSession, foundationIsOnLinux, !lines.contains(where: { $0.hasPrefix("head") }) {
            // URLSession on Linux does not report the connection before the head has arrived.
            expected.removeAll { $0.hasPrefix("connected") }
        }
        if expected.contains("body") {
            lines = lines.map { $0.hasPrefix("body") ? "body" : $0 }
            lines = lines.reduce(into: []) { if $1 != "body" || $0.last != "body" { $0.append($1) } }
        }
        #expect(lines == expected, sourceLocation: sourceLocation)
    }
}

extension RequestEvent {
    /// An event with its attempt and number of redirects.
    fileprivate var summary: String {
        let text =
            switch kind {
            case .queued: "queued"
            case .waitingForPermit(let key, let position): "waiting for a permit of \(key) behind \(position)"
            case .waitingForRateLimit(let key, let position, _): "waiting for the rate of \(key) behind \(position)"
            case .rateLimited(let key, let pause): "rate of \(key) limited for \(pause)"
            case .circuitOpened(let key, let period): "circuit of \(key) opened for \(period)"
            case .circuitHalfOpened(let key, let time): "circuit of \(key) half-opened after \(time)"
            case .circuitClosed(let key, let time): "circuit of \(key) closed after \(time)"
            case .hedging(let delay): "hedging after \(delay)"
            case .hedgingEnded(let winner): "hedging ended: \(winner.map(String.init) ?? "-")"
            case .sending(let request): "sending \(request.httpMethod ?? "") \(request.url?.path ?? "")"
            case .connected: "connected"
            case .phase(let event): "phase \(event)"
            case .cacheMissed: "cache missed"
            case .interim(let status, _): "interim \(status)"
            case .head(let status, _): "head \(status)"
            case .resending(let reason): "resending \(reason)"
            case .redirecting(let url): "redirecting \(url.path)"
            case .authenticating(let scheme): "authenticating \(scheme)"
            case .cached(let source): "cached: \(source)"
            case .body(let bytes): "body \(bytes)"
            case .fallingBack(let kind, let cause): "falling back to \(kind) because of \(cause)"
            case .retrying(let delay, .response(let status, _)): "retrying \(delay) \(status)"
            case .retrying(let delay, .failure(let error)): "retrying \(delay) \(Self.text(error))"
            case .finished(let status): "finished \(status)"
            case .failed(let error): "failed \(Self.text(error))"
            }
        return text + (retryCount > 0 || text.hasPrefix("retrying") ? " #\(retryCount)" : "")
            + (redirectCount > 0 ? " ->\(redirectCount)" : "")
    }

    private static func text(_ error: any Error) -> String {
        (error as? URLError).map { "\($0.code.rawValue)" } ?? "\(error)"
    }
}
