import Foundation
import Moya
import MoyaHTTP
import TestSupport

/// A model of GitHub's REST API, written from its public documents, which counts the violations of the rules for clients.
final class GitHubModel: Sendable {
    /// A rule of the documents.
    enum Rule: Hashable, Sendable {
        /// "Make requests serially instead of concurrently."
        case serial
        /// 900 points per minute.
        case points
        /// "Wait at least one second between each" POST, PATCH, PUT and DELETE.
        case pause
        /// 80 requests that create content per minute, and 500 per hour.
        case content
        /// No request before `retry-after`, or `x-ratelimit-reset` after `x-ratelimit-remaining: 0`, or one minute otherwise.
        case limited
    }

    private struct State: Sendable {
        var violations: [Rule: Int] = [:]
        var statuses: [Int: Int] = [:]
        var running = 0
        var number = 0
        var points: [(time: Duration, points: Int)] = []
        var writes: [Duration] = []
        var limitedUntil = Duration.zero
        var remaining: Int
        var reset: Duration
    }

    private let clock: TestTime.View
    private let latency: Duration
    private let quota: (limit: Int, window: Duration)
    /// The statuses and fields of the responses that are not successful, by the number of the request.
    private let failures: [Int: (status: Int, retryAfter: Int?)]
    private let state: Locked<State>

    /// The time that the dates of responses begin with.
    private static let beginning = 1_790_000_000

    /// Creates a model.
    init(
        _ time: TestTime,
        latency: Duration = .milliseconds(50),
        quota: (limit: Int, window: Duration) = (5_000, .seconds(3_600)),
        failures: [Int: (status: Int, retryAfter: Int?)] = [:]
    ) {
        clock = time.clock(.server)
        (self.latency, self.quota, self.failures) = (latency, quota, failures)
        state = Locked(State(remaining: quota.limit, reset: quota.window))
    }

    /// The number of violations of each rule.
    var violations: [Rule: Int] { state.withLock { $0.violations } }
    /// The number of responses with each status.
    var statuses: [Int: Int] { state.withLock { $0.statuses } }

    /// The transport of a session that talks with the model.
    var transport: FakeTransport {
        FakeTransport { request in
            self.state.withLock { self.receive(request, &$0) }
            try await self.clock.sleep(for: self.latency)
            return self.state.withLock { self.respond(to: request, &$0) }
        }
    }

    private var now: Duration { clock.now.offset }

    private func isWrite(_ request: TransportRequest) -> Bool { ![.get, .head, .options].contains(request.method) }

    /// Checks the rules at the arrival of a request.
    private func receive(_ request: TransportRequest, _ state: inout State) {
        func check(_ rule: Rule, _ isKept: Bool) { if !isKept { state.violations[rule, default: 0] += 1 } }
        let now = now
        check(.serial, state.running == 0)
        state.running += 1
        check(.limited, now >= state.limitedUntil)
        state.points.removeAll { $0.time + .seconds(60) <= now }
        state.points.append((now, isWrite(request) ? 5 : 1))
        check(.points, state.points.reduce(0) { $0 + $1.points } <= 900)
        guard isWrite(request) else { return }
        check(.pause, state.writes.last.map { $0 + .seconds(1) <= now } ?? true)
        state.writes.removeAll { $0 + .seconds(3_600) <= now }
        state.writes.append(now)
        check(.content, state.writes.count <= 500 && state.writes.count { $0 + .seconds(60) > now } <= 80)
    }

    /// Returns the response to a request.
    private func respond(to request: TransportRequest, _ state: inout State) -> TransportResponse {
        let now = now
        state.running -= 1
        state.number += 1
        while now >= state.reset { (state.remaining, state.reset) = (quota.limit, state.reset + quota.window) }
        var status = isWrite(request) ? 201 : 200
        var headers: HTTPFields = [.date: Self.date(now)]
        if state.remaining == 0 {
            status = 403
        } else {
            state.remaining -= 1
            if let failure = failures[state.number] {
                status = failure.status
                if let retryAfter = failure.retryAfter { headers[.retryAfter] = "\(retryAfter)" }
                if status == 403 || status == 429 {
                    let pause = Duration.seconds(failure.retryAfter ?? 60)
                    state.limitedUntil = max(state.limitedUntil, now + pause)
                }
            }
        }
        if state.remaining == 0 { state.limitedUntil = max(state.limitedUntil, state.reset) }
        let reset = Self.beginning + Int((state.reset / .seconds(1)).rounded(.up))
        let fields = ["limit": quota.limit, "remaining": state.remaining, "reset": reset]
        for (name, value) in fields { headers[HTTPField.Name("x-ratelimit-\(name)")!] = "\(value)" }
        state.statuses[status, default: 0] += 1
        return TransportResponse(status: status, headers: headers)
    }

    private static func date(_ time: Duration) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(
            from: Date(timeIntervalSince1970: Double(beginning) + (time / .seconds(1)).rounded(.down))
        )
    }
}
