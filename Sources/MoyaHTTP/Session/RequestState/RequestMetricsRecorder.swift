import Foundation

/// The recorder of the metrics of one request, which exists if an option or a monitor asks for them.
///
/// The ``EventReporter`` passes it the events of the request, and the ``TransportStage`` adds the exchanges.
final class RequestMetricsRecorder: RequestMetricsSource {
    /// An exchange, whose times its recorder has.
    private struct Exchange: Sendable {
        let number: Int
        let method: HTTPMethod
        let url: URL
        let counts: (retries: Int, redirects: Int)
        let hedge: Int
        let isResent: Bool
        let recorder: ExchangeRecorder
        var status: Int?
        var error: (any Error)?

        var metrics: ExchangeMetrics {
            ExchangeMetrics(
                method: method,
                url: url,
                retryCount: counts.retries,
                redirectCount: counts.redirects,
                hedge: hedge,
                isResent: isResent,
                status: status,
                error: error,
                timings: recorder.timings
            )
        }
    }

    private struct State: Sendable {
        var exchanges: [Exchange] = []
        var exchangeCount = 0
        var retryCount = 0
        var redirectCount = 0
        var resendCount = 0
        var cacheResult: ResponseSource?
        var end: MonotonicTime?

        /// Changes the exchange with a number, if it is kept.
        mutating func change(_ number: Int, _ body: (inout Exchange) -> Void) {
            guard let index = exchanges.firstIndex(where: { $0.number == number }) else { return }
            body(&exchanges[index])
        }
    }

    private let start = MonotonicTime.now
    private let date = Date()
    private let state = InlineLocked(State())

    /// The metrics so far.
    var metrics: RequestMetrics {
        let state = state.withLock { $0 }
        return RequestMetrics(
            start: start.instant,
            date: date,
            duration: state.end.map { $0 - start },
            exchanges: state.exchanges.map(\.metrics),
            exchangeCount: state.exchangeCount,
            retryCount: state.retryCount,
            redirectCount: state.redirectCount,
            resendCount: state.resendCount,
            cacheResult: state.cacheResult
        )
    }

    /// Records an event of the request.
    func record(_ kind: RequestEvent.Kind, at time: MonotonicTime) {
        switch kind {
        case .resending: state.withLock { $0.resendCount += 1 }
        case .redirecting: state.withLock { $0.redirectCount += 1 }
        case .retrying: state.withLock { $0.retryCount += 1 }
        case .cached(let source): state.withLock { $0.cacheResult = source }
        case .cacheMissed: state.withLock { $0.cacheResult = .network }
        case .finished, .failed: state.withLock { $0.end = $0.end ?? time }
        default: break
        }
    }

    /// Adds an exchange that begins, and returns its number.
    func begin(
        _ request: borrowing TransportRequest,
        counts: (retries: Int, redirects: Int),
        hedge: Int,
        recorder: ExchangeRecorder
    ) -> Int {
        let (method, url, isResent) = (request.method, request.url, request.isResent)
        return state.withLock { state in
            let number = state.exchangeCount
            state.exchangeCount += 1
            if state.exchanges.count == RequestMetrics.maximumExchangeCount { state.exchanges.removeFirst() }
            state.exchanges.append(
                Exchange(
                    number: number,
                    method: method,
                    url: url,
                    counts: counts,
                    hedge: hedge,
                    isResent: isResent,
                    recorder: recorder
                )
            )
            return number
        }
    }

    /// Records the head of the response to an exchange.
    func recordStatus(_ status: Int, of exchange: Int) {
        state.withLock { $0.change(exchange) { $0.status = status } }
    }

    /// Records the error of an exchange without a response.
    func recordError(_ error: any Error, of exchange: Int) {
        state.withLock { $0.change(exchange) { $0.error = error } }
    }
}
