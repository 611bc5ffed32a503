import Foundation
import Moya

/// Writes the events of a request as lines, and keeps the times of the request.
final class RequestTranscript: EventMonitor {
    private struct State: Sendable {
        var metrics: RequestMetrics?
        /// The number of bytes of the body that have arrived.
        var bytes = 0
    }

    private let mask: SecretMask
    private let write: @Sendable (String) -> Void
    private let state = Locked(State())

    init(showsSecrets: Bool, write: @escaping @Sendable (String) -> Void) {
        mask = showsSecrets ? .none : .standard
        self.write = write
    }

    let detail = RequestEvent.Detail.metrics

    /// The duration of the phases, in words.
    var timing: String {
        state.withLock { state in state.metrics.map { RequestTimes(metrics: $0, bytes: state.bytes) } }?.text ?? ""
    }

    /// The times of the exchanges as a table.
    var timingTable: [String] {
        state.withLock { $0.metrics }.map { RequestTimesTable(metrics: $0, mask: mask).lines } ?? []
    }

    func record(_ event: RequestEvent) {
        switch event.kind {
        case .sending: state.withLock { $0.bytes = 0 }
        case .body(let count): state.withLock { $0.bytes += count }
        case .finished, .failed:
            let metrics = event.metrics
            state.withLock { $0.metrics = metrics }
        default: break
        }
        lines(of: event).forEach { write(TerminalText($0).text) }
    }

    /// Writes the head of a response from the cache, because no event reports it, and the trailers of any response.
    func writeResponse(_ response: SessionResponse) {
        switch response.source {
        case .cache, .stale:
            write("< \(response.statusCode)")
            headers(response.headers).forEach { write(TerminalText("< \($0)").text) }
        default: break
        }
        if !response.trailers.isEmpty {
            headers(response.trailers).forEach { write(TerminalText("< (trailer) \($0)").text) }
        }
    }

    /// Writes an error, and counts the received bytes of the body.
    func writeError(_ error: any Error, received count: Int) {
        state.withLock { $0.bytes += count }
        write("")
        write(TerminalText(mask.maskingQueries(in: ErrorText(error).description)).text)
    }

    private func lines(of event: RequestEvent) -> [String] {
        switch event.kind {
        case .sending(let request):
            let url = request.url.map { mask.text(of: $0) } ?? ""
            let body = request.httpBody.map { ["> (\(ByteCount(Int64($0.count))))"] } ?? []
            return ["> \(request.httpMethod ?? "GET") \(url)"]
                + request.headers.map { "> \($0.name): \(mask.value($0.value, ofHeader: $0.name))" } + body
        case .interim(let status, let headers):
            return ["< \(status)"] + self.headers(headers).map { "< \($0)" }
        case .head(let status, let headers):
            let facts = [
                event.info?.reasonPhrase, event.info?.httpVersion,
                event.info?.remoteAddress.map { "from \($0)" },
            ].compactMap { $0 }.filter { !$0.isEmpty }
            return ["< \(([String(status)] + facts).joined(separator: " "))"] + self.headers(headers).map { "< \($0)" }
        case .resending: return ["* The connection was lost; the request is sent again."]
        case .cached(let source): return ["* \(Self.text(source))"]
        case .redirecting(let url): return ["* Redirected to \(mask.text(of: url))"]
        case .authenticating(let scheme):
            return ["* The request is sent again with a response to the \(scheme) challenge."]
        case .waitingForPermit(let key, let position):
            return ["* Waiting behind \(position) requests for a permit of \(key)."]
        case .waitingForRateLimit(let key, let position, let time):
            return [
                "* Waiting \(RequestTimes.durationText(time)) behind \(position) requests for the rate limit of \(key)."
            ]
        case .rateLimited(let key, let pause):
            return ["* The server wants no requests to \(key) for \(RequestTimes.durationText(pause))."]
        case .circuitOpened(let key, let period):
            return ["* Too many requests to \(key) fail; none are sent for \(RequestTimes.durationText(period))."]
        case .circuitHalfOpened(let key, let time):
            return ["* \(key) gets a probe, \(RequestTimes.durationText(time)) after its circuit was opened."]
        case .circuitClosed(let key, let time):
            return ["* \(key) gets requests again, \(RequestTimes.durationText(time)) after its circuit was opened."]
        case .hedging(let delay):
            return ["* No response after \(RequestTimes.durationText(delay)): the request is sent a second time."]
        case .hedgingEnded(let winner):
            return [winner.map { "* The response to exchange \($0 + 1) is used." } ?? "* All exchanges have failed."]
        case .fallingBack(let kind, let cause):
            return ["* \(cause): the request falls back to \(kind)."]
        case .retrying(let delay, let outcome):
            return ["* \(Self.text(outcome)): retried after \(RequestTimes.durationText(delay))"]
        case .queued, .connected, .phase, .cacheMissed, .body, .finished, .failed: return []
        }
    }

    private func headers(_ fields: HTTPFields) -> [String] {
        fields.map { "\($0.name.rawName): \(mask.value($0.value, ofHeader: $0.name.rawName))" }
    }

    private static func text(_ source: ResponseSource) -> String {
        switch source {
        case .cache: "From the cache."
        case .revalidated: "From the cache, confirmed by the server."
        case .stale: "From the cache, stale."
        case .sample: "A sample."
        case .network: "From the server."
        }
    }

    private static func text(_ outcome: RequestAttempt.Outcome) -> String {
        switch outcome {
        case .response(let status, _): "Status \(status)"
        case .failure(let error): ErrorText(error).description
        }
    }
}
