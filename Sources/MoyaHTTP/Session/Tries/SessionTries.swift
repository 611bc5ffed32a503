import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tries of one request: adapted, prepared, sent, and repeated while the interceptors say so.
struct SessionTries {
    private let session: Session
    private let call: SessionCall
    /// The session's, and then the request's own; `nil` where there is neither.
    private let interceptor: Interceptor?
    private let started = ContinuousClock.now
    private let events: EventReporter?
    private var retryCount = 0

    init(_ call: SessionCall, of session: Session) {
        self.session = session
        self.call = call
        let interceptors = [session.interceptor, call.options.interceptor].compactMap { $0 }
        interceptor = interceptors.isEmpty ? nil : Interceptor(interceptors: interceptors)
        events = EventReporter(session.eventMonitors, call.options.record)
    }

    /// Does it all.
    ///
    /// - Parameter finish: Makes of an answer what the caller wants. It is part of the try: if it fails, that may be repeated.
    mutating func run<Value>(
        finish: (SessionAnswer, EventReporter?) async throws -> Value
    ) async throws -> Value {
        events?.report(.queued(call.request))
        do {
            return try await loop(finish)
        } catch {
            let error = error.asCancellation(of: call.request.url, isCancelled: isCancelled)
            events?.report(.failed(error.withoutResponse))
            throw error
        }
    }

    private mutating func loop<Value>(
        _ finish: (SessionAnswer, EventReporter?) async throws -> Value
    ) async throws -> Value {
        while true {
            switch await Result.of({ try await attempt() }) {
            case .success(let answer):
                if try await isRepeated(answer) { continue }
                switch await Result.of({ try await finish(answer, events) }) {
                case .success(let value): return value
                case .failure(let error): try await waitForNextTry(or: error)
                }
            case .failure(let error):
                try await waitForNextTry(or: error)
            }
        }
    }

    private func attempt() async throws -> SessionAnswer {
        let adaptation = SessionAdaptation(
            interceptor: interceptor,
            session: session,
            record: call.options.record,
            retryCount: retryCount
        )
        var request = try await adaptation.adapt(call.request, redirectCount: 0)
        // An adapter may have taken its time. Nobody is told that a cancelled request is sent.
        try throwIfCancelled()
        if let prepare = call.options.prepare { request = try prepare(request) }
        var hops = SessionHops(request, call, of: session, adaptation: adaptation, events: events)
        return try await hops.run()
    }

    /// Asks about a response, and waits for the time to repeat the request if it is to be repeated.
    private mutating func isRepeated(_ answer: SessionAnswer) async throws -> Bool {
        let response = answer.response
        call.options.record.received(answer.sessionResponse())
        guard interceptor != nil else { return false }
        let isAccepted = call.options.accepts?(response.status) ?? true
        return try await isRepeated(
            .response(status: response.status, headers: response.headers),
            error: isAccepted ? nil : UnacceptableStatusError(status: response.status)
        )
    }

    /// Returns when the request is to be repeated, and throws the error if it isn't.
    private mutating func waitForNextTry(or error: any Error) async throws {
        let cause = error.asCancellation(of: call.request.url, isCancelled: isCancelled).withoutResponse
        guard interceptor != nil, (cause as? URLError)?.code != .cancelled,
            try await isRepeated(.failure(cause), error: cause)
        else { throw error }
    }

    private mutating func isRepeated(_ outcome: RequestAttempt.Outcome, error: (any Error)?) async throws -> Bool {
        let attempt = RequestAttempt(
            originalRequest: call.options.record.prepared ?? call.request,
            request: call.options.record.request ?? call.request,
            outcome: outcome,
            error: error,
            retryCount: retryCount,
            elapsed: .now - started,
            isBodyRepeatable: call.isBodyRepeatable,
            record: call.options.record
        )
        var delay = Duration.zero
        let decision = await interceptor?.retry(attempt, for: session) ?? .doNotRetry
        // Who was asked may have taken its time, and stopped waiting when the request was cancelled.
        try throwIfCancelled()
        switch decision {
        case .doNotRetry: return false
        case .doNotRetryWithError(let error): throw SessionFailure(error: error, response: call.options.record.response)
        case .retry: break
        case .retryWithDelay(let seconds): delay = Duration(clampingSeconds: max(0, seconds))
        }
        guard call.isBodyRepeatable else { return false }
        events?.report(.retrying(after: delay, because: outcome))
        if delay > .zero {
            // The one error there is says that the task was cancelled.
            try? await session.policies.clock.sleep(for: delay)
        }
        try throwIfCancelled()
        retryCount += 1
        call.options.record.retries()
        return true
    }

    private var isCancelled: Bool { Task.isCancelled || call.options.record.isCancelled }

    private func throwIfCancelled() throws {
        if isCancelled { throw URLError.cancelled(url: call.request.url) }
    }
}

extension SessionCall {
    /// Whether the request can be sent once more.
    var isBodyRepeatable: Bool {
        if let body { return body.isRepeatable }
        return request.httpBodyStream == nil
    }
}

extension Result where Failure == any Error {
    /// What an async function comes to.
    fileprivate static func of(_ body: () async throws -> Success) async -> Self {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
