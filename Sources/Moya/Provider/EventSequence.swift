import Foundation

/// A sequence of the server-sent events of a target (WHATWG HTML, section 9.2), which reconnects when a stream ends.
///
///     for try await event in provider.events(.news) { print(event.data) }
///
/// When the server ends the stream, or the connection is lost, the target is requested again after a delay, with the
/// last event's ID in `Last-Event-ID`. A 204 ends the loop; any other status than 200, and any other type than
/// `text/event-stream`, end it with ``EventStreamError``, unless the policy is to reconnect after a server's error
/// (``ReconnectionPolicy/reconnectsAfterServerErrors``). A stream without data for longer than the idle
/// timeout of a request counts as lost; servers send comments to keep a stream alive. The loop sends the first request, and
/// leaving the loop closes the connection.
///
/// A request whose method is not safe (RFC 9110, section 9.2.1), such as a POST to a language model, is sent once: the loop ends
/// with its response, and a lost connection is an error. With ``ReconnectionPolicy/repeatsUnsafeRequests`` it reconnects, too.
public struct EventSequence: AsyncSequence, Sendable {
    /// Sends the request, and passes it to `onRequest` with its final method.
    typealias Connect =
        @Sendable (
            _ lastEventID: String?, _ onRequest: @escaping @Sendable (URLRequest) -> Void
        ) async throws(MoyaError) -> StreamingResponse

    let connect: Connect
    let policy: ReconnectionPolicy
    let maximumSize: Int
    let clock: any Clock<Duration>
    /// The events that the sequence returns before its first connection.
    private let beginning: [ServerSentEvent]

    /// Creates a sequence that returns the given events and ends, for mocks and tests.
    ///
    /// Each loop over it gets all events.
    public init(_ events: [ServerSentEvent]) {
        self.init(
            connect: { _, _ async throws(MoyaError) in StreamingResponse(Response(statusCode: 204, data: Data())) },
            policy: ReconnectionPolicy(initialDelay: .zero),
            maximumSize: .max,
            clock: ContinuousClock(),
            beginning: events
        )
    }

    init(
        connect: @escaping Connect,
        policy: ReconnectionPolicy,
        maximumSize: Int,
        clock: any Clock<Duration>,
        beginning: [ServerSentEvent] = []
    ) {
        self.connect = connect
        self.policy = policy
        self.maximumSize = maximumSize
        self.clock = clock
        self.beginning = beginning
    }

    /// An iterator over the events.
    public struct Iterator: AsyncIteratorProtocol {
        let connect: Connect
        let maximumSize: Int
        let clock: any Clock<Duration>
        var state: EventStreamReconnection
        var events: StreamingEvents.Iterator?
        /// The events that the iterator returns before the first connection.
        var ready: ArraySlice<ServerSentEvent> = []
        var isOver = false
        /// The last request, for errors.
        var request: URLRequest?

        /// The response whose events are read; `nil` if there is none.
        var response: Response? { events?.chunks.response }

        /// Returns the next event; `nil` after a 204, or after the end of a response that is not repeated.
        ///
        /// - Throws: ``MoyaError/underlying(_:_:)`` with ``EventStreamError``, ``StreamLimitError`` or a `URLError`.
        public mutating func next() async throws(MoyaError) -> ServerSentEvent? {
            if let event = ready.popFirst() { return event }
            while !isOver {
                do throws(MoyaError) {
                    if events == nil, let delay = try await open() {
                        try await wait(for: delay)
                        continue
                    }
                    while let output = try await events?.nextOutput() {
                        state.handleOutput(output)
                        if case .event(let event) = output { return event }
                    }
                    if events != nil {
                        events = nil
                        try await perform(state.handleEnd(), cause: nil)
                    }
                } catch {
                    events = nil
                    guard !isOver else { throw error }
                    try await perform(state.handleFailure(failure(of: error)), cause: error)
                }
            }
            return nil
        }

        /// Sends the request, and returns the delay before the next attempt if the response is a failure.
        private mutating func open() async throws(MoyaError) -> Duration? {
            let response = try await response()
            switch state.handleResponse(status: response.statusCode, contentType: response.headers["Content-Type"]) {
            case .read:
                events = response.events(maximumSize: maximumSize).makeAsyncIterator(lastEventID: state.lastEventID)
            case .stop:
                isOver = true
            case .fail(let error):
                isOver = true
                throw .underlying(error, response.response)
            case .reconnect(let delay, _):
                return delay
            case .failWithCause:
                break
            }
            return nil
        }

        private mutating func response() async throws(MoyaError) -> StreamingResponse {
            // If no request was sent, the method counts as GET, because repeating the request is safe.
            let sent = Locked<URLRequest?>(nil)
            defer {
                request = sent.withLock { $0 }
                state.handleRequest(HTTPMethod(rawValue: request?.httpMethod ?? "GET"))
            }
            return try await connect(state.lastEventIDHeader) { request in sent.withLock { $0 = request } }
        }

        private func failure(of error: MoyaError) -> EventStreamFailure {
            // The target's validation has refused the status.
            if case .underlying(MoyaError.statusCode(let response), _) = error {
                return state.failure(status: response.statusCode)
            }
            return EventStreamFailure(error.cause)
        }

        private mutating func wait(for delay: Duration) async throws(MoyaError) {
            do {
                try await clock.sleep(for: delay)
            } catch {
                isOver = true
                throw MoyaError.underlying(URLError.cancelled(url: nil), nil).describing(request)
            }
        }

        private mutating func perform(_ action: EventStreamReconnection.Action, cause: MoyaError?)
            async throws(MoyaError)
        {
            switch action {
            case .reconnect(let delay, _):
                try await wait(for: delay)
            case .fail(let error):
                isOver = true
                throw .underlying(error, cause?.response)
            case .failWithCause:
                isOver = true
                if let cause { throw cause }
            case .stop:
                isOver = true
            case .read:
                break
            }
        }
    }

    /// Creates an iterator, whose first call of `next()` sends the first request.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            connect: connect,
            maximumSize: maximumSize,
            clock: clock,
            state: EventStreamReconnection(policy: policy),
            ready: beginning[...]
        )
    }
}

extension MoyaError {
    fileprivate var cause: any Swift.Error {
        if case .underlying(let error, _) = self { error } else { self }
    }
}
