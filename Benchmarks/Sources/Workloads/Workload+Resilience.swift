import Foundation
import Moya

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Workload {
    /// The workloads for requests through the parts of `Resilience` when nothing goes wrong, over a transport that responds at once.
    public static let resilience: [Workload] = [
        requests("resilience-none", "Request over a transport that responds at once") { _ in },
        requests("resilience-concurrency", "The same with a concurrency limit") {
            $0.concurrencyLimit = ConcurrencyLimiter(.adaptive())
        },
        requests("resilience-retries", "The same with retries") { $0.retrier = RetryPolicy() },
        requests("resilience-breaker", "The same with a circuit breaker") { $0.circuitBreaker = CircuitBreaker() },
        requests("resilience-rate", "The same with the rate limits of servers") { $0.rateLimit = RateLimiter() },
        requests("resilience-timeouts", "The same with timeouts") {
            $0.timeouts = RequestTimeouts(total: .seconds(30), attempt: .seconds(10))
        },
        requests("resilience-hedging", "The same with hedging") { $0.hedging = Hedging(after: .fixed(.seconds(1))) },
        requests("resilience-standard", "The same with the standard parts") { $0 = .standard },
        requests("resilience-all", "The same with the standard parts and hedging") {
            $0 = .standard
            $0.hedging = Hedging(after: .fixed(.seconds(1)))
        },
    ]

    private static func requests(
        _ name: String,
        _ title: String,
        _ configure: @escaping @Sendable (inout Resilience) -> Void
    ) -> Workload {
        var resilience = Resilience()
        configure(&resilience)
        let session = Session(transport: ImmediateServer(), resilience: resilience)
        let request = URLRequest(url: BenchTarget.anywhere)
        return Workload(name, title) { count in
            for _ in 0..<count { use(try await session.data(for: request)) }
        }
    }
}

/// A transport that responds at once.
struct ImmediateServer: HTTPTransport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        TransportResponse(status: 200, headers: [.contentType: "application/json"], body: .complete(User.json))
    }

    func shutdown() async {}
}
