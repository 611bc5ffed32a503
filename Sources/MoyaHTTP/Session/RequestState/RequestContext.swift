import Foundation

/// The context of a request in the pipeline: its ID, target, session and counts.
///
/// All stages share two of its parts. The constants are the session, the settings of the request, and the time at which it began.
/// The record holds, under a lock, the ID and all facts that change: the requests, the responses, the counts, the credential and
/// the cancellation. A stage sets the other parts for itself and the stages below it: the scope of the attempt, the end of the total
/// time, the recorder of the sent fields, and, for hedges and in the background, the reporter of events and another record.
public struct RequestContext: Sendable {
    /// The part that is constant from the beginning of the request.
    // An object, because many stages copy a context.
    private final class Constants: Sendable {
        let session: Session
        let settings: RequestSettings
        let interceptor: (any RequestInterceptor)?
        let bodyHandling: ResponseBodyHandling
        let requestStart = MonotonicTime.now
        /// The start on the clock of the session, if that is another one.
        let startOnOwnClock: Duration?
        let tag: RequestTag?

        init(
            _ session: Session,
            _ settings: borrowing RequestSettings,
            _ bodyHandling: ResponseBodyHandling
        ) {
            self.session = session
            self.settings = copy settings
            self.bodyHandling = bodyHandling
            let inherited: (any RequestInterceptor)?
            if let first = session.settings.retryingInterceptor {
                inherited = settings.interceptor.map { Interceptor(interceptors: [first, $0]) } ?? first
            } else {
                inherited = settings.interceptor
            }
            startOnOwnClock = session.settings.ownTime?.now
            interceptor = settings.retryChoice.apply(to: inherited)
            tag = session.settings.middleware.isEmpty ? nil : RequestTag()
        }
    }

    private let constants: Constants
    /// The record of the request.
    package private(set) var record: RequestRecord
    /// Reports to the session's monitors and to the metrics of the request; `nil` if there are neither.
    private(set) var events: EventReporter?
    /// The scope of the current attempt; ``RedirectStage`` sets it.
    var attemptScope: AttemptScope
    /// The end of the request's total time; `nil` if the time is unlimited, or a ``TimeLimit`` measures it.
    var deadline: RequestDeadline?
    /// The time of ``elapsed`` at which the request's total time ends; `nil` if the time is unlimited, or there is a ``deadline``.
    var totalTimeEnd: Duration?
    /// Records the fields of exchanges for the cache; `nil` if nothing between the cache and the transport can change them.
    var sentFields: SentFields?

    /// The session that sends the request.
    public var session: Session { constants.session }

    /// The settings of the request.
    // The settings are yielded, because a getter would copy all of them for the reader of one.
    var settings: RequestSettings {
        @inline(__always) _read { yield constants.settings }
    }

    /// The interceptor of the session with the retrier of its resilience, and the interceptor of the request after it, whose retry
    /// policies the request may replace.
    var interceptor: (any RequestInterceptor)? { constants.interceptor }

    /// The retrier that the ``interceptor`` consists of; `nil` if there are other interceptors, or the target chooses its retrier.
    var statusRetrier: (any StatusRetrier)? {
        settings.interceptor == nil && settings.retryChoice.isInherited ? constants.session.settings.statusRetrier : nil
    }

    /// Whether there is an ``interceptor``.
    var hasInterceptor: Bool { constants.interceptor != nil }

    /// Whether the ``interceptor`` may change requests.
    var hasAdapters: Bool { settings.interceptor != nil || constants.session.settings.hasAdapters }

    /// The timeouts of the request, with those of the session; `nil` if none is set.
    var timeouts: RequestTimeouts? {
        guard let own = settings.timeouts else { return constants.session.settings.requestTimeouts }
        return constants.session.settings.requestTimeouts.map { own.inheriting(from: $0) } ?? own
    }

    /// Whether the session, or the request, uses idempotency keys.
    var usesIdempotencyKeys: Bool {
        constants.session.settings.resilience.idempotencyKeys != nil || settings.idempotencyKeys != nil
    }

    /// The way in which the body of the response is handled, with the meter of its progress.
    var bodyHandling: ResponseBodyHandling { constants.bodyHandling }

    /// The time at which the request began.
    var requestStart: MonotonicTime { constants.requestStart }

    /// The time since the request began, on the clock of the session.
    var elapsed: Duration {
        guard let start = constants.startOnOwnClock, let now = session.settings.ownTime?.now else {
            return .now - requestStart
        }
        return now - start
    }

    /// The rest of the request's total time; `nil` if it is unlimited.
    var totalTimeLeft: Duration? { deadline?.timeLeft ?? totalTimeEnd.map { $0 - elapsed } }

    /// Identifies the responses of the request; `nil` if there is no middleware, which could return the response of another
    /// request.
    var tag: RequestTag? { constants.tag }

    /// Creates a context, to test a middleware with.
    ///
    /// - Parameters:
    ///   - id: The request's ID.
    ///   - target: The value that the request is created from.
    ///   - session: The session that sends the request.
    public init(id: UUID = UUID(), target: (any Sendable)? = nil, session: Session) {
        self.init(session: session, settings: RequestSettings(target: target), record: RequestRecord(id: id))
    }

    /// Creates the context of a request that begins.
    init(
        session: Session,
        settings: borrowing RequestSettings,
        record: RequestRecord,
        bodyHandling: ResponseBodyHandling = .collect(progress: nil)
    ) {
        constants = Constants(session, settings, bodyHandling)
        attemptScope = AttemptScope(from: constants.requestStart)
        self.record = record
        events = session.settings.monitors.areUnused ? nil : EventReporter(session.settings.monitors, record)
        if let metrics = events?.metrics { record.setMetrics(metrics) }
    }

    /// The request's ID, the same in all attempts and after redirects.
    public var id: UUID { record.id }

    /// The value that the request is created from: the target, if a provider sends it.
    public var target: (any Sendable)? { settings.target }

    /// The number of retries before the current attempt: 0 for the first attempt.
    public var retryCount: Int { record.counts.retries }

    /// The number of redirects that have been followed in the current attempt.
    public var redirectCount: Int { record.counts.redirects }

    /// Returns the context of an exchange in the background, which may outlive the request.
    ///
    /// Its events are not reported, because monitors get none after the end of a request. It does not end with the time or with the
    /// cancellation of the request.
    func inBackground() -> RequestContext {
        var context = self
        context.events = nil
        context.record = RequestRecord(id: id)
        context.attemptScope.restart()
        (context.deadline, context.totalTimeEnd) = (nil, nil)
        return context
    }

    /// Returns the context of the hedge with a number, whose events have the number.
    func forHedge(_ number: Int) -> RequestContext {
        var context = self
        context.events = events.map { EventReporter(of: number, for: $0) }
        context.attemptScope.isHedge = true
        return context
    }

    /// Returns the context of exchanges in a given scope.
    func with(_ scope: AttemptScope) -> RequestContext {
        var context = self
        context.attemptScope = scope
        return context
    }

    /// Whether the request must end: it or its task was cancelled, or the total time is over.
    var isEnding: Bool { Task.isCancelled || record.isCancelled || isOverdue }

    /// Whether the ``deadline`` is over.
    var isOverdue: Bool { deadline?.isOver ?? false }

    /// The total time limit if the ``deadline`` is over; `nil` otherwise.
    var overdueLimit: RequestTimeoutError? { isOverdue ? deadline?.timeout : nil }

    /// Sets the time that an exchange may take: the rest of its attempt, or of the ``deadline`` if that is shorter.
    func limitTime(of request: inout TransportRequest, at now: MonotonicTime = .now) {
        let time = attemptScope.timeLeft(of: request.exchangeTimeout, at: now)
        if let deadline {
            let timeLeft = deadline.timeLeft
            if timeLeft < time { return request.setTimeLeft(timeLeft, ofTotal: deadline.timeout.limit) }
        }
        request.setTimeLeft(time)
    }

    /// Waits on a clock, at most until the ``deadline`` and until the task is cancelled.
    nonisolated(nonsending) func sleep(for delay: Duration, on clock: any Clock<Duration>) async {
        let delay = deadline.map { min(delay, $0.timeLeft) } ?? delay
        // A clock throws only when the task is cancelled.
        if delay > .zero { try? await clock.sleep(for: delay) }
    }

    /// Throws `URLError.cancelled` if the request must end; ``TotalTimeStage`` replaces the error if the total time is over.
    func throwIfEnding(_ request: UncheckedRequest) throws {
        if isEnding { throw URLError.cancelled(url: request.urlRequest.url) }
    }

    /// Passes a request through the adapters.
    nonisolated(nonsending) func adapt(_ request: URLRequest) async throws -> URLRequest {
        // Without an interceptor, neither the adapters' state nor the request's ID is created.
        guard let interceptor else { return request }
        var adapted = try await interceptor.adapt(request, using: RequestAdapterState(self))
        adapted.removeSupersededHeaders(after: { request.allHTTPHeaderFields })
        return adapted
    }
}
