import Foundation
import HTTPTypes
import TestSupport

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session with a hedging on a clock of the test, whose exchanges wait until the test ends them.
struct HedgedSession: Sendable {
    /// The end of an exchange.
    enum End: Sendable {
        case response(Int, headers: HTTPFields = [:])
        case stream(Int, TransportBodyStream)
        case failure(URLError.Code)
        case cancelled
    }

    let clock: ManualClock
    let hedging: Hedging
    let limited: LimitedSession
    /// The exchanges in the order of their beginning.
    let exchanges: Locked<[Promise<End>]>
    /// The numbers of the cancelled exchanges.
    let cancelled = Recorder<Int>()

    init(
        _ delay: HedgingDelay = .fixed(.milliseconds(200)),
        maximumHedges: Int = 1,
        budget: RetryBudget = RetryBudget(),
        by key: LimitKey = .origin,
        methods: Set<HTTPMethod> = [.get],
        rate: RateLimiter? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        cache: HTTPCache? = nil,
        middleware: [any HTTPMiddleware] = [],
        onSend: @escaping @Sendable (TransportRequest) async throws -> Void = { _ in }
    ) {
        let (clock, exchanges, cancelled) = (ManualClock(), Locked<[Promise<End>]>([]), cancelled)
        (self.clock, self.exchanges) = (clock, exchanges)
        hedging = Hedging(
            after: delay,
            maximumHedges: maximumHedges,
            budget: budget,
            by: key,
            methods: methods,
            clock: clock
        )
        limited = LimitedSession(
            rate: rate,
            hedging: hedging,
            interceptor: interceptor,
            cache: cache,
            middleware: middleware
        ) { request in
            let end = Promise<End>()
            let number = exchanges.withLock { exchanges in
                exchanges.append(end)
                return exchanges.count - 1
            }
            try await onSend(request)
            await withTaskCancellationHandler {
                _ = await end.wait()
            } onCancel: {
                if end.fulfill(.cancelled) { cancelled.add(number) }
            }
            switch await end.wait() {
            case .response(let status, let headers):
                let body = Data("\(number)".utf8)
                return TransportResponse(status: status, headers: headers, body: .complete(body))
            case .stream(let status, let body): return TransportResponse(status: status, body: .stream(body))
            case .failure(let code): throw URLError(code)
            case .cancelled: throw URLError(.cancelled)
            }
        }
    }

    /// The number of exchanges that have begun.
    var count: Int { exchanges.withLock { $0.count } }

    /// Ends an exchange that has begun.
    func end(_ number: Int, _ end: End) { exchanges.withLock { $0[number] }.fulfill(end) }

    /// Waits until a number of exchanges have begun.
    func waitForExchanges(_ number: Int) async { await waitUntil { count == number } }

    /// Waits until the delay of a hedge runs, and ends it.
    func endDelay() async {
        await waitUntil { hedging.timers.count > 0 }
        await clock.someoneSleeps()
        clock.advance(by: .milliseconds(200))
    }

    /// Sends a request, and returns its status with the number of the exchange whose response it gets, or the code of its error.
    func send(_ method: String = "GET", _ url: String = "http://h.test/") async -> String {
        do {
            let response = try await limited.session.data(for: URLRequest(method, .test(url)))
            return "\(response.statusCode) \(response.text)"
        } catch {
            return "error \((error as? URLError)?.code.rawValue ?? 0)"
        }
    }

    /// The texts of the events about hedges and exchanges, with the numbers of the hedges.
    var events: [String] {
        limited.log.events.compactMap { event in
            switch event.kind {
            case .sending: "sending #\(event.hedge)"
            case .head(let status, _): "head \(status) #\(event.hedge)"
            case .hedging(let delay): "hedging after \(delay) #\(event.hedge)"
            case .hedgingEnded(let winner): "ended: \(winner.map(String.init) ?? "-") #\(event.hedge)"
            default: nil
            }
        }
    }
}

/// Fulfills a promise when it is released.
final class ReleaseSignal: Sendable {
    let isReleased = Promise<Void>()

    /// A stream that keeps a signal until it is read or released.
    static func stream() -> (stream: TransportBodyStream, isReleased: Promise<Void>) {
        let signal = ReleaseSignal()
        let stream = TransportBodyStream {
            withExtendedLifetime(signal) {}
            return nil
        }
        return (stream, signal.isReleased)
    }

    deinit { isReleased.fulfill(()) }
}
