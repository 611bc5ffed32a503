import Foundation
import MoyaHTTP

/// Records one exchange, and creates its entry at the end.
final class HAREntryRecorder: Sendable {
    private struct State: Sendable {
        var requestBody: CapturedBody?
        var responseBody: CapturedBody
        var head: (status: Int, headers: HTTPFields, info: ResponseInfo?)?
        var connected: ContinuousClock.Instant?
        var sent: ContinuousClock.Instant?
        var headReceived: ContinuousClock.Instant?
        var source: ResponseSource?
        var isEnded = false
    }

    private let request: TransportRequest
    private let options: HARRecordingOptions
    private let deliver: @Sendable (HAR.Entry) -> Void
    /// The start, rounded to milliseconds, the precision of a file.
    private let date = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 * 1000).rounded() / 1000)
    private let started = ContinuousClock.now
    private let state: Locked<State>

    /// Creates a recorder; `deliver` receives the masked entry once.
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

    /// Returns the request with observers that record its progress.
    func observedRequest() -> TransportRequest {
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
            request.body = request.body?.observingPieces { [self] in
                state.withLock { $0.requestBody = CapturedBody(limit: limit) }
                return { [self] piece in recordSentPiece(piece) }
            }
        }
        return request
    }

    /// Records a response, and returns it with its body recorded while it is read.
    func record(_ response: TransportResponse) -> TransportResponse {
        state.withLock { state in
            state.head = (response.status, response.headers, response.info)
            state.headReceived = .now
        }
        switch response.body {
        case .complete(let data):
            state.withLock { $0.responseBody.append(data) }
            end(with: nil)
            return response
        case .stream(let stream):
            var response = response
            response.body = .stream(observedBody(stream))
            return response
        }
    }

    /// Records a response from the cache, whose body is complete, and ends the exchange.
    func recordCached(_ response: TransportResponse) {
        state.withLock { state in
            state.head = (response.status, response.headers, response.info)
            state.headReceived = .now
            state.source = response.source
            if case .complete(let data) = response.body { state.responseBody.append(data) }
        }
        end(with: nil)
    }

    /// Ends the exchange; further calls are ignored.
    func end(with error: (any Error)?) {
        let end = ContinuousClock.now
        let state: State? = state.withLock { state in
            guard !state.isEnded else { return nil }
            state.isEnded = true
            return state
        }
        guard let state else { return }
        deliver(makeEntry(state, end: end, error: error).masking(options.secrets))
    }

    /// Records a piece of the request's body; `nil` at its end.
    private func recordSentPiece(_ piece: Data?) {
        state.withLock { state in
            if let piece { state.requestBody?.append(piece) } else { state.sent = .now }
        }
    }

    /// Returns the body with its chunks recorded while they are read.
    private func observedBody(_ body: TransportBodyStream) -> TransportBodyStream {
        body.observed { chunk in
            self.state.withLock { $0.responseBody.append(chunk) }
        } onEnd: {
            self.end(with: $0)
        }
    }

    // MARK: The entry

    private func makeEntry(_ state: State, end: ContinuousClock.Instant, error: (any Error)?) -> HAR.Entry {
        var response =
            state.head.map { HAR.Response(status: $0.status, headers: $0.headers, body: state.responseBody) }
            ?? HAR.Response(status: 0)
        if let error { response.setError(error) }
        let timings = makeTimings(state, end: end)
        var entry = HAR.Entry(
            startedDateTime: date,
            time: timings.total,
            request: HAR.Request(request, body: state.requestBody),
            response: response,
            timings: timings
        )
        entry.source = state.source
        // The info is read last, because some of its values are known only after the body was received.
        if let info = state.head?.info { entry.fill(from: info) }
        return entry
    }

    /// Returns the timings.
    ///
    /// A transport reports three events: the request has a connection, the request has been sent, and the response begins. The phases
    /// before the first event are not distinguished: they count as waiting for a connection.
    private func makeTimings(_ state: State, end: ContinuousClock.Instant) -> HAR.Timings {
        let headReceived = state.headReceived ?? end
        let connected = min(state.connected ?? started, headReceived)
        // An early response may begin while the body is still being sent.
        let sent = min(max(state.sent ?? connected, connected), headReceived)
        return HAR.Timings(
            blocked: state.connected == nil ? -1 : (connected - started).inMilliseconds,
            send: (sent - connected).inMilliseconds,
            wait: (headReceived - sent).inMilliseconds,
            receive: (end - headReceived).inMilliseconds
        )
    }
}

extension HAR.Entry {
    /// Sets the facts about the connection and the status line.
    fileprivate mutating func fill(from info: ResponseInfo) {
        if let version = info.httpVersion { (request.httpVersion, response.httpVersion) = (version, version) }
        if let reasonPhrase = info.reasonPhrase { response.statusText = reasonPhrase }
        serverIPAddress = info.remoteAddress?.ipAddress
    }
}

extension Duration {
    /// The duration in milliseconds, rounded to microseconds.
    fileprivate var inMilliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }
}
