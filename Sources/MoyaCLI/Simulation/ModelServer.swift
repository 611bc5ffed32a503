#if os(Linux)
import Foundation
import HTTPTypes
import Moya

/// The servers of a simulation, as a transport: each host has workers, a queue, and times at which something is wrong.
final class ModelServer: HTTPTransport {
    /// The condition of a host at a time.
    struct Condition: Sendable {
        /// Whether the host accepts connections.
        var isReachable = true
        /// The number of requests that the host handles at the same time.
        var workers = 10
        /// The time for a request.
        var time = Duration.milliseconds(50)
        /// The share of requests that take ``slowTime``.
        var slowShare = 0.0
        var slowTime = Duration.seconds(1)
        /// The number of requests in a second above which the host responds with 429; `nil` for no limit.
        var rateLimit: Int?
    }

    /// The state of a host.
    private struct Host: Sendable {
        /// The times at which the workers are free.
        var freeAt: [Duration] = []
        /// The second to which ``countInSecond`` belongs.
        var second = -1
        var countInSecond = 0
    }

    private struct State: Sendable {
        var hosts: [String: Host] = [:]
        var random: SimulationRandom
        /// The number of received requests by the second.
        var received: [Int]
    }

    /// The reaction of a host to a request.
    private enum Reaction {
        case refuse
        case respond(Int, after: Duration)
    }

    private let clock: VirtualTime
    private let condition: @Sendable (_ host: String, _ second: Double) -> Condition
    private let state: Locked<State>

    /// The number of requests that wait for a worker, above which a host responds with 503.
    private static let longestQueue = 100

    init(
        clock: VirtualTime,
        seconds: Int,
        seed: UInt64,
        condition: @escaping @Sendable (_ host: String, _ second: Double) -> Condition
    ) {
        (self.clock, self.condition) = (clock, condition)
        state = Locked(State(random: SimulationRandom(seed: seed), received: Array(repeating: 0, count: seconds)))
    }

    /// The number of requests that reached the hosts or their closed ports, by the second.
    var received: [Int] { state.withLock { $0.received } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let host = request.url.host ?? ""
        let now = clock.now.offset
        let condition = condition(host, now / .seconds(1))
        switch state.withLock({ Self.react(to: host, condition, at: now, &$0) }) {
        case .refuse:
            try await clock.sleep(for: .milliseconds(1))
            throw URLError(.cannotConnectToHost)
        case .respond(let status, let delay):
            let limit = min(request.idleTimeout, request.exchangeTimeout)
            // The host does not notice that the client has given up.
            try await clock.sleep(for: min(delay, limit))
            guard delay <= limit else { throw URLError(.timedOut) }
            return TransportResponse(
                status: status,
                headers: status == 429 ? [.retryAfter: "1"] : [:],
                body: .complete(Data("{}".utf8))
            )
        }
    }

    func shutdown() async {}

    private static func react(
        to name: String,
        _ condition: Condition,
        at now: Duration,
        _ state: inout State
    ) -> Reaction {
        let second = Int(now / .seconds(1))
        if state.received.indices.contains(second) { state.received[second] += 1 }
        guard condition.isReachable else { return .refuse }
        var host = state.hosts[name] ?? Host()
        defer { state.hosts[name] = host }
        if host.second != second { (host.second, host.countInSecond) = (second, 0) }
        host.countInSecond += 1
        if let limit = condition.rateLimit, host.countInSecond > limit { return .respond(429, after: .milliseconds(1)) }
        let time = state.random.next() < condition.slowShare ? condition.slowTime : condition.time
        // A slow request sleeps elsewhere, and occupies no worker.
        guard time == condition.time else { return .respond(200, after: time) }
        host.freeAt.removeAll { $0 <= now }
        let busy = host.freeAt.count
        guard busy < condition.workers + longestQueue else { return .respond(503, after: .milliseconds(1)) }
        // With fewer workers than requests, a request begins when enough of the earlier ones have ended.
        let start = busy < condition.workers ? now : host.freeAt.sorted()[busy - condition.workers]
        let end = start + time
        host.freeAt.append(end)
        return .respond(200, after: end - now)
    }
}

/// Random numbers from 0 to 1, the same ones for the same seed (SplitMix64).
struct SimulationRandom: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }
}
#endif
