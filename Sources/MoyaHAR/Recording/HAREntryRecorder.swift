import Foundation
import MoyaHTTP

/// Records one exchange, and creates its entry at the end.
final class HAREntryRecorder: Sendable {
    private struct State: Sendable {
        var requestBody: CapturedBody?
        var responseBody: CapturedBody
        var head: (status: Int, headers: HTTPFields, info: ResponseInfo?)?
        /// The time at which the transport has read the last byte of the request's body.
        var bodyRead: ContinuousClock.Instant?
        var source: ResponseSource?
        /// The messages of a WebSocket; `nil` for another exchange.
        var messages: HARMessageRecorder?
        var isEnded = false
    }

    private let request: TransportRequest
    private let options: HARRecordingOptions
    private let deliver: @Sendable (HAR.Entry) -> Void
    /// Records the times of the exchange, for the session, too, if it needs them.
    private let times: ExchangeRecorder
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
        times = request.recorder ?? ExchangeRecorder()
        state = Locked(State(responseBody: CapturedBody(limit: options.bodyLimit)))
    }

    /// Returns the request with observers that record its progress.
    func observedRequest() -> TransportRequest {
        var request = request
        request.recorder = times
        let connect = request.onConnect
        request.onConnect = { [times] in
            times.recordUnknownConnection()
            connect?()
        }
        let limit = options.bodyLimit
        if var upgrade = request.upgrade {
            // The bytes are read after the response has arrived.
            upgrade.output = upgrade.output.observingPieces { [self] in
                { [self] piece in
                    guard let piece else { return }
                    state.withLock { $0.messages }?.record(piece, from: .client)
                }
            }
            request.upgrade = upgrade
        }
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
        let messages = response.isUpgraded ? HARMessageRecorder(response.headers, limit: options.bodyLimit) : nil
        state.withLock { state in
            state.head = (response.status, response.headers, response.info)
            state.messages = messages
        }
        let response = times.completing(response)
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
            state.source = response.source
            if case .complete(let data) = response.body { state.responseBody.append(data) }
        }
        _ = times.completing(response)
        end(with: nil)
    }

    /// Ends the exchange; further calls are ignored.
    func end(with error: (any Error)?) {
        // The transport may have recorded the end before.
        times.record(error == nil ? .responseEnded(bodyBytes: nil) : .failed)
        let state: State? = state.withLock { state in
            guard !state.isEnded else { return nil }
            state.isEnded = true
            return state
        }
        guard let state else { return }
        deliver(makeEntry(state, error: error).masking(options.secrets))
    }

    /// Records a piece of the request's body; `nil` at its end.
    private func recordSentPiece(_ piece: Data?) {
        state.withLock { state in
            if let piece { state.requestBody?.append(piece) } else { state.bodyRead = .now }
        }
    }

    /// Returns the body with its chunks recorded while they are read.
    private func observedBody(_ body: TransportBodyStream) -> TransportBodyStream {
        body.observed { chunk in
            if let messages = self.state.withLock({ $0.messages }) { return messages.record(chunk, from: .server) }
            self.state.withLock { $0.responseBody.append(chunk) }
        } onEnd: {
            self.end(with: $0)
        }
    }

    // MARK: The entry

    private func makeEntry(_ state: State, error: (any Error)?) -> HAR.Entry {
        var response =
            state.head.map { HAR.Response(status: $0.status, headers: $0.headers, body: state.responseBody) }
            ?? HAR.Response(status: 0)
        if let error { response.setError(error) }
        let times = times.timings
        let timings = HAR.Timings(times, bodyRead: state.bodyRead.map { $0 - times.start })
        var entry = HAR.Entry(
            startedDateTime: times.date.inMilliseconds,
            time: timings.total,
            request: HAR.Request(request, body: state.requestBody),
            response: response,
            timings: timings
        )
        entry.source = state.source
        if let messages = state.messages {
            entry.webSocketMessages = messages.messages
            entry.comment = messages.comment
        }
        entry.fill(from: times)
        // The info is read last, because some of its values are known only after the body was received.
        if let info = state.head?.info { entry.fill(from: info) }
        return entry
    }
}

extension HAR.Entry {
    /// Sets the facts about the connection and the sizes.
    fileprivate mutating func fill(from times: ExchangeTimings) {
        if let connection = times.connection {
            if let version = connection.httpVersion { request.httpVersion = version }
            serverIPAddress = connection.remoteAddress?.ipAddress
            self.connection = connection.number.map { String($0) }
        }
        let bytes = times.bytes
        if response.bodySize < 0, let size = bytes.responseBody { response.bodySize = size }
        // The format counts the bytes of text. HTTP/2 compresses them.
        guard times.connection?.httpVersion == "HTTP/1.1" else { return }
        if let size = bytes.requestHead { request.headersSize = size }
        if let size = bytes.responseHead { response.headersSize = size }
    }

    /// Sets the facts about the connection and the status line.
    fileprivate mutating func fill(from info: ResponseInfo) {
        if let version = info.httpVersion { (request.httpVersion, response.httpVersion) = (version, version) }
        if let reasonPhrase = info.reasonPhrase { response.statusText = reasonPhrase }
        if let address = info.remoteAddress { serverIPAddress = address.ipAddress }
    }
}

extension Date {
    /// The date rounded to milliseconds, the precision of a file.
    fileprivate var inMilliseconds: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
    }
}
