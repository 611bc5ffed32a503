#if os(Linux)
import Foundation
import Moya

/// A run of a scenario with one variant.
struct Simulation: Sendable {
    /// The result, with a number for each second.
    struct Result: Sendable {
        /// The number of requests of the application.
        var offered: [Int]
        /// The number of requests that reached the hosts or their closed ports.
        var sent: [Int]
        /// The number of requests that succeeded, by the time of their success.
        var served: [Int]
        /// The number of requests that succeeded, by the time of their beginning.
        var succeeding: [Int]
        /// The number of requests that failed, by the time of their failure.
        var failed: [Int]
        /// The times of the requests that succeeded, in ascending order.
        var times: [Duration]
    }

    let scenario: Scenario
    let variant: Scenario.Variant
    let seed: UInt64

    /// Sends all requests.
    func run() throws -> Result {
        let clock = VirtualTime()
        let seconds = Scenario.seconds
        let server = ModelServer(clock: clock, seconds: seconds, seed: seed, condition: scenario.condition)
        let random = Locked(SimulationRandom(seed: seed &+ 1))
        let session = variant.session(server, clock) { random.withLock { $0.next() } }
        let provider = MoyaProvider<SimulatedTarget>(session: session)
        let zeros = Array(repeating: 0, count: seconds)
        let result = Locked(
            Result(offered: zeros, sent: zeros, served: zeros, succeeding: zeros, failed: zeros, times: [])
        )
        try clock.run {
            await withDiscardingTaskGroup { group in
                for (start, host) in traffic() {
                    try? await clock.sleep(until: VirtualTime.Instant(offset: start), tolerance: nil)
                    group.addTask {
                        let target = SimulatedTarget(host: host)
                        let response = try? await provider.request(target)
                        let end = clock.now.offset
                        result.withLock { $0.record(start, end, hasSucceeded: response != nil) }
                    }
                }
            }
        }
        return result.withLock { result in
            result.sent = server.received
            result.times.sort()
            return result
        }
    }

    /// The starts of the requests and their hosts, at random times.
    private func traffic() -> [(start: Duration, host: String)] {
        var random = SimulationRandom(seed: seed &+ 2)
        var requests: [(Duration, String)] = []
        var second = 0.0
        while true {
            second -= log(1 - random.next()) / Scenario.maximumRate
            guard second < Double(Scenario.seconds) else { return requests }
            guard random.next() < scenario.rate(second) / Scenario.maximumRate else { continue }
            let host = scenario.hosts[Int(random.next() * Double(scenario.hosts.count))]
            requests.append((.nanoseconds(Int64(second * 1e9)), host))
        }
    }
}

extension Simulation.Result {
    fileprivate mutating func record(_ start: Duration, _ end: Duration, hasSucceeded: Bool) {
        let begun = Int(start / .seconds(1))
        let ended = min(Int(end / .seconds(1)), offered.count - 1)
        offered[begun] += 1
        guard hasSucceeded else { return failed[ended] += 1 }
        served[ended] += 1
        succeeding[begun] += 1
        times.append(end - start)
    }

    /// The sent requests during a fault, as a multiple of the offered ones.
    func load(during fault: Range<Int>) -> Double {
        Double(sent[fault].reduce(0, +)) / Double(max(1, offered[fault].reduce(0, +)))
    }

    /// The share of the requests that succeeded, of those that began in a range of time.
    func success(in seconds: Range<Int>) -> Double {
        Double(succeeding[seconds].reduce(0, +)) / Double(max(1, offered[seconds].reduce(0, +)))
    }

    /// The time from the end of a fault until 99 % of the requests of ten seconds succeed; `nil` if they never do.
    func recovery(after fault: Range<Int>) -> Int? {
        (fault.upperBound...max(fault.upperBound, offered.count - 10))
            .first { $0 + 10 <= offered.count && success(in: $0..<$0 + 10) >= 0.99 }
            .map { $0 - fault.upperBound }
    }

    /// A quantile of the times of requests that succeeded.
    func time(atQuantile quantile: Double) -> Duration {
        times.isEmpty ? .zero : times[min(times.count - 1, Int(Double(times.count) * quantile))]
    }
}

/// The target of all requests of a simulation.
private struct SimulatedTarget: TargetType {
    let host: String

    var baseURL: URL { URL(string: "http://\(host)")! }
    var path: String { "items" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
    var validationType: ValidationType { .successCodes }
}
#endif
