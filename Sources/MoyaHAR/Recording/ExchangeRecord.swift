import Foundation
import MoyaHTTP

/// Takes note of one exchange as it happens, and makes an entry of it at its end.
final class ExchangeRecord: Sendable {
    private struct State: Sendable {
        var requestBody: CapturedBody?
        var responseBody: CapturedBody
        var head: (status: Int, headers: HTTPFields)?
        var connected: ContinuousClock.Instant?
        var sent: ContinuousClock.Instant?
        var answered: ContinuousClock.Instant?
        var isEnded = false
    }

    private let request: TransportRequest
    private let options: HARRecordingOptions
    private let deliver: @Sendable (HAR.Entry) -> Void
    /// To the millisecond, as a file has it.
    private let date = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 * 1000).rounded() / 1000)
    private let started = ContinuousClock.now
    private let state: Locked<State>

    /// - Parameter deliver: Gets the entry, masked, once.
    init(
        _ request: TransportRequest,
        options: HARRecordingOptions,
        deliver: @escaping @Sendable (HAR.Entry) -> Void
    ) {
        self.request = request
        self.options = options
        self.deliver = deliver
        state = Locked(State(responseBody: CapturedBody(limit: options.bodyLimit)))
    }

    /// The same request, telling what becomes of it.
    func watching() -> TransportRequest {
        var request = request
        let connect = request.onConnect
        request.onConnect = { [self] in
            state.withLock { $0.connected = .now }
            connect?()
        }
        let limit = options.bodyLimit
        if let data = request.body?.data {
            state.withLock { $0.requestBody = CapturedBody(data, limit: limit) }
        } else {
            request.body = request.body?.watched { [self] in
                state.withLock { $0.requestBody = CapturedBody(limit: limit) }
                return { [self] piece in sending(piece) }
            }
        }
        return request
    }

    /// The same response, with its body watched if it is still to come.
    func responded(_ response: TransportResponse) -> TransportResponse {
        state.withLock { state in
            state.head = (response.status, response.headers)
            state.answered = .now
        }
        switch response.body {
        case .complete(let data):
            state.withLock { $0.responseBody.append(data) }
            ended(nil)
            return response
        case .stream(let stream):
            var response = response
            response.body = .stream(watching(stream))
            return response
        }
    }

    /// The exchange is over. Only the first call counts.
    func ended(_ error: (any Error)?) {
        let end = ContinuousClock.now
        let state: State? = state.withLock { state in
            guard !state.isEnded else { return nil }
            state.isEnded = true
            return state
        }
        guard let state else { return }
        deliver(entry(state, end: end, error: error).masking(options.secrets))
    }

    private func sending(_ piece: Data?) {
        state.withLock { state in
            if let piece { state.requestBody?.append(piece) } else { state.sent = .now }
        }
    }

    private func watching(_ body: TransportBodyStream) -> TransportBodyStream {
        let end = BodyEnd(record: self)
        let iterator = body.makeAsyncIterator()
        return TransportBodyStream {
            var reader = iterator
            do {
                guard let chunk = try await reader.next() else {
                    end.record.ended(nil)
                    return nil
                }
                end.record.state.withLock { $0.responseBody.append(chunk) }
                return chunk
            } catch {
                end.record.ended(error)
                throw error
            }
        }
    }

    /// Ends the record when the body's reader lets go of it before its end.
    private final class BodyEnd: Sendable {
        let record: ExchangeRecord

        init(record: ExchangeRecord) { self.record = record }

        deinit { record.ended(URLError.cancelled(url: nil)) }
    }

    // MARK: The entry

    private func entry(_ state: State, end: ContinuousClock.Instant, error: (any Error)?) -> HAR.Entry {
        var response =
            state.head.map { HAR.Response(status: $0.status, headers: $0.headers, body: state.responseBody) }
            ?? HAR.Response(status: 0)
        if let error { response.note(error) }
        let timings = timings(state, end: end)
        return HAR.Entry(
            startedDateTime: date,
            time: timings.total,
            request: HAR.Request(request, body: state.requestBody),
            response: response,
            timings: timings
        )
    }

    /// A transport tells of three moments: the head is on a connection, all has been sent, and the answer is there. What
    /// of the first part is for what it does not tell: it counts as waiting for a connection.
    private func timings(_ state: State, end: ContinuousClock.Instant) -> HAR.Timings {
        let answered = state.answered ?? end
        let connected = min(state.connected ?? started, answered)
        // An early answer comes while the body is still being sent.
        let sent = min(max(state.sent ?? connected, connected), answered)
        return HAR.Timings(
            blocked: state.connected == nil ? -1 : (connected - started).inMilliseconds,
            send: (sent - connected).inMilliseconds,
            wait: (answered - sent).inMilliseconds,
            receive: (end - answered).inMilliseconds
        )
    }
}

extension Duration {
    /// To the microsecond.
    fileprivate var inMilliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }
}
