import Foundation
import HTTPTypes
import TestSupport

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session with limits, a circuit breaker or fallbacks, whose exchanges a function responds to, and the log of its events.
struct LimitedSession: Sendable {
    let session: Session
    let log = EventLog()
    /// The URLs of the exchanges.
    let sent = Recorder<String>()

    init(
        concurrency: ConcurrencyLimiter? = nil,
        rate: RateLimiter? = nil,
        furtherRates: [RateLimiter] = [],
        breaker: CircuitBreaker? = nil,
        timeouts: RequestTimeouts = RequestTimeouts(),
        hedging: Hedging? = nil,
        fallbacks: [Fallback] = [],
        interceptor: (any RequestInterceptor)? = nil,
        cache: HTTPCache? = nil,
        middleware: [any HTTPMiddleware] = [],
        timeout: TimeInterval? = nil,
        strictTransportSecurity: StrictTransportSecurityStore? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        respond: @escaping @Sendable (TransportRequest) async throws -> TransportResponse = { _ in .init(status: 200) }
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        if let timeout { configuration.timeoutIntervalForResource = timeout }
        var resilience = Resilience()
        resilience.concurrencyLimit = concurrency
        resilience.rateLimit = rate
        resilience.furtherRateLimits = furtherRates
        resilience.circuitBreaker = breaker
        resilience.timeouts = timeouts
        resilience.hedging = hedging
        resilience.fallbacks = fallbacks
        session = Session(
            transport: FakeTransport { [sent] request in
                sent.add(request.url.absoluteString)
                return try await respond(request)
            },
            configuration: configuration,
            interceptor: interceptor,
            cache: cache,
            eventMonitors: [log],
            exchangeMiddleware: middleware,
            resilience: resilience,
            options: SessionOptions(strictTransportSecurity: strictTransportSecurity, clock: clock)
        )
    }

    /// Sends a request, and returns its status.
    @discardableResult
    func send(_ url: String) async throws -> Int {
        try await session.data(for: URLRequest(url: .test(url))).statusCode
    }

    /// Sends a request that fails, and returns the error.
    func error(_ url: String) async -> URLError? {
        do {
            try await send(url)
            return nil
        } catch {
            return error as? URLError
        }
    }

    /// The number of events that a function accepts.
    func count(_ isCounted: (RequestEvent.Kind) -> Bool) -> Int { log.events.count { isCounted($0.kind) } }
}

extension URL {
    /// Returns a URL of a test.
    static func test(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: text) }
}

/// Gates by paths, at which a transport waits until a test opens them.
final class PathGates: Sendable {
    private let gates = Locked<[String: Promise<Void>]>([:])

    /// Opens a gate.
    func open(_ path: String) { gate(path).fulfill(()) }

    /// Waits for the gate of a path, or for the cancellation of the task.
    func wait(_ path: String) async throws {
        let gate = gate(path)
        let isCancelled = Locked(false)
        await withTaskCancellationHandler {
            await gate.wait()
        } onCancel: {
            isCancelled.withLock { $0 = true }
            gate.fulfill(())
        }
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
    }

    private func gate(_ path: String) -> Promise<Void> {
        gates.withLock { gates in
            let gate = gates[path] ?? Promise()
            gates[path] = gate
            return gate
        }
    }
}

/// Waits until a condition holds, which other tasks bring about.
func waitUntil(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }
