import Foundation
import HTTPTypes
import Moya

/// A request, or one of its exchanges, with its time.
struct RecordedSpan: Equatable, Sendable {
    let number: Int
    /// The number of the request's span; `nil` for a request.
    let parent: Int?
    /// The method, and the template or the URL.
    let name: String
    /// The time since the recorder was created.
    let start: Duration
    var end: Duration?
    /// The status, or the error.
    var result = ""
    /// The time at which the exchange had a connection, and at which the head of its response arrived, since its beginning.
    var acquired: Duration?
    var head: Duration?
}

/// Records a span for each request and each exchange of sessions, which ``SpanTree`` prints.
final class SpanRecorder: Sendable {
    private struct State: Sendable {
        var count = 0
        var spans: [RecordedSpan] = []

        mutating func change(_ number: Int, _ body: (inout RecordedSpan) -> Void) {
            guard let index = spans.firstIndex(where: { $0.number == number }) else { return }
            body(&spans[index])
        }
    }

    /// The number of the request whose task this is.
    @TaskLocal private static var request: Int?

    private let start = ContinuousClock.now
    private let state = Locked(State())

    /// The instrument of a session whose requests are recorded.
    var instrument: SessionInstrument { SessionInstrument(requests: self, exchanges: self) }

    /// Returns the spans that have ended so far, and forgets them.
    ///
    /// They are in the order of their beginning.
    func takeEnded() -> [RecordedSpan] {
        state.withLock { state in
            defer { state.spans.removeAll { $0.end != nil } }
            return state.spans.filter { $0.end != nil }
        }
    }

    fileprivate func begin(_ name: String, in parent: Int?) -> Int {
        let now = ContinuousClock.now - start
        return state.withLock { state in
            state.count += 1
            state.spans.append(RecordedSpan(number: state.count, parent: parent, name: name, start: now))
            return state.count
        }
    }

    fileprivate func end(_ number: Int, result: String? = nil, timings: ExchangeTimings? = nil) {
        let now = ContinuousClock.now - start
        state.withLock { state in
            state.change(number) { span in
                span.end = now
                if let result { span.result = result }
                (span.acquired, span.head) = (timings?.acquired, timings?.responseHead)
            }
        }
    }

    fileprivate func setResult(_ result: String, of number: Int) {
        state.withLock { $0.change(number) { $0.result = result } }
    }
}

extension SpanRecorder: RequestInstrument {
    nonisolated(nonsending) func observe(
        _ request: URLRequest,
        _ context: Moya.RequestContext,
        by perform: nonisolated(nonsending) () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let target = (context.target as? any URLTemplateProviding)?.urlTemplate ?? request.url?.path ?? ""
        let number = begin("\(request.httpMethod ?? "GET") \(target)", in: nil)
        do {
            let response = try await Self.$request.withValue(number) { try await perform() }
            let source = response.source == .network ? "" : " \(response.source.rawValue)"
            setResult("\(response.status)\(source)", of: number)
            return response.observingEnd { [self] _, _ in end(number) }
        } catch {
            end(number, result: SpanTree.text(of: error))
            throw error
        }
    }
}

extension SpanRecorder: ExchangeInstrument {
    var needsTimings: Bool { true }

    func begin(
        _ exchange: borrowing InstrumentedExchange,
        adding fields: inout HTTPFields
    ) -> (any ExchangeObservation)? {
        let resend = exchange.resendCount > 0 ? " #\(exchange.resendCount + 1)" : ""
        let number = begin("\(exchange.request.method) \(exchange.request.url.path)\(resend)", in: Self.request)
        return Exchange(number: number, recorder: self, timings: exchange.recorder)
    }

    private struct Exchange: ExchangeObservation {
        let number: Int
        let recorder: SpanRecorder
        let timings: ExchangeRecorder?

        func receivedHead(of response: TransportResponse) { recorder.setResult("\(response.status)", of: number) }

        func ended(_ end: ExchangeEnd) {
            let result: String? =
                switch end {
                case .finished: nil
                case .failed(let error, _): SpanTree.text(of: error)
                case .cancelled: "cancelled"
                }
            recorder.end(number, result: result, timings: timings?.timings)
        }
    }
}
