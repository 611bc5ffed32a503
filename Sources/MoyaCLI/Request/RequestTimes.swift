import Foundation
import Moya

/// The times of a request's events.
struct RequestTimes: Sendable {
    private var queued: ContinuousClock.Instant?
    private var sending: ContinuousClock.Instant?
    private var connected: ContinuousClock.Instant?
    private var head: ContinuousClock.Instant?
    private var end: ContinuousClock.Instant?
    private var redirects = 0
    private var retries = 0
    private var bytes = 0

    mutating func record(_ event: RequestEvent) {
        let instant = event.instant
        switch event.kind {
        case .queued: queued = queued ?? instant
        case .sending: (sending, connected, head, bytes) = (instant, nil, nil, 0)
        case .connected: connected = instant
        case .head: head = instant
        case .body(let count): bytes += count
        case .redirecting: redirects += 1
        case .retrying: retries += 1
        case .finished, .failed: end = instant
        case .interim, .resending, .cached, .authenticating, .waitingForPermit, .waitingForRateLimit, .rateLimited,
            .circuitOpened, .circuitHalfOpened, .circuitClosed, .hedging, .hedgingEnded, .fallingBack:
            break
        }
    }

    /// Counts the bytes of an incomplete body, for which there is no event.
    mutating func addBytes(_ count: Int) { bytes += count }

    /// The total, the phases of the last exchange, and the number of redirects and retries.
    var text: String {
        guard let queued, let end else { return "" }
        var parts: [String] = []
        func add(_ name: String, from start: ContinuousClock.Instant?, to end: ContinuousClock.Instant?) {
            guard let start, let end, start <= end else { return }
            parts.append("\(name) \(Self.durationText(end - start))")
        }
        add("connection", from: sending, to: connected)
        add("response", from: connected ?? sending, to: head)
        add("body", from: head, to: head == nil ? nil : end)
        if redirects > 0 { parts.append("\(redirects) \(redirects == 1 ? "redirect" : "redirects")") }
        if retries > 0 { parts.append("\(retries) \(retries == 1 ? "retry" : "retries")") }
        let size = ByteCount(Int64(bytes)).description
        return
            (["\(Self.durationText(end - queued)), \(size) received"]
            + (parts.isEmpty ? [] : [parts.joined(separator: ", ")]))
            .joined(separator: ": ")
    }

    static func durationText(_ duration: Duration) -> String {
        HARReport.Row.text(ofMilliseconds: duration / .milliseconds(1))
    }
}
