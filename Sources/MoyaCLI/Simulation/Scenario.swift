#if os(Linux)
import Moya

/// Ten minutes of traffic to hosts of which something is wrong for a time.
struct Scenario: Sendable {
    /// A way to configure a session.
    struct Variant: Sendable {
        let name: String
        let session:
            @Sendable (_ transport: ModelServer, _ clock: VirtualTime, _ random: @escaping @Sendable () -> Double) ->
                Session
    }

    let name: String
    /// A sentence about the fault.
    let text: String
    /// The seconds of the fault.
    let fault: Range<Int>
    var hosts = ["api.example.com"]
    /// Returns the mean number of requests per second to all hosts together, at a time; at most ``maximumRate``.
    var rate: @Sendable (_ second: Double) -> Double = { _ in 20 }
    let condition: @Sendable (_ host: String, _ second: Double) -> ModelServer.Condition
    let variants: [Variant]

    /// The length of a simulation in seconds.
    static let seconds = 600
    /// The highest rate of any scenario.
    static let maximumRate = 60.0

    static let all = [outage, brownOut, slowStart, rateLimit, slowHost, slowResponses]
}

extension Scenario {
    static let outage = Scenario(
        name: "outage",
        text: "The host accepts no connections for one minute.",
        fault: 180..<240,
        condition: { _, second in
            var condition = ModelServer.Condition()
            condition.isReachable = !(180..<240).contains(second)
            return condition
        },
        variants: [.nothing, .unlimitedRetries, .retries, .circuitBreaker, .standard]
    )

    static let brownOut = Scenario(
        name: "brown-out",
        text: "For two minutes the host takes 1 s for a request, and handles 10 per second, half of the traffic.",
        fault: 180..<300,
        condition: { _, second in
            var condition = ModelServer.Condition()
            if (180..<300).contains(second) { condition.time = .seconds(1) }
            return condition
        },
        variants: [.nothing, .unlimitedRetries, .retries, .adaptiveConcurrency, .standard]
    )

    static let slowStart = Scenario(
        name: "slow start",
        text: "The host accepts no connections for half a minute, then has one worker, and ten a minute later.",
        fault: 180..<270,
        condition: { _, second in
            var condition = ModelServer.Condition()
            condition.time = .milliseconds(400)
            condition.isReachable = !(180..<210).contains(second)
            if (210..<270).contains(second) { condition.workers = 1 + Int((second - 210) / 60 * 9) }
            return condition
        },
        variants: [.nothing, .unlimitedRetries, .retries, .adaptiveConcurrency, .standard]
    )

    static let rateLimit = Scenario(
        name: "rate limit",
        text: "The host answers more than 25 requests in a second with 429. For two minutes, requests come in bursts.",
        fault: 180..<300,
        rate: { second in
            guard (180..<300).contains(second) else { return 20 }
            return second.truncatingRemainder(dividingBy: 20) < 5 ? 50 : 10
        },
        condition: { _, _ in
            var condition = ModelServer.Condition()
            condition.rateLimit = 25
            return condition
        },
        variants: [.nothing, .unlimitedRetries, .retries, .serverRateLimit, .clientRateLimit]
    )

    static let slowHost = Scenario(
        name: "slow host",
        text: "One of three hosts takes 4 s for a request for two minutes.",
        fault: 180..<300,
        hosts: ["a.example.com", "b.example.com", "c.example.com"],
        rate: { _ in 30 },
        condition: { host, second in
            var condition = ModelServer.Condition()
            if host.hasPrefix("a."), (180..<300).contains(second) { condition.time = .seconds(4) }
            return condition
        },
        variants: [.nothing, .oneLimit, .limitPerHost, .standard]
    )

    static let slowResponses = Scenario(
        name: "slow responses",
        text: "Three of two hundred requests take 1 s instead of 50 ms.",
        fault: 0..<seconds,
        condition: { _, _ in
            var condition = ModelServer.Condition()
            condition.slowShare = 0.015
            return condition
        },
        variants: [.nothing, .hedging]
    )
}
#endif
