import Foundation

/// A limit of the time that the stages below a stage take, whatever they wait for.
struct TimeLimit: Sendable {
    private let timeout: RequestTimeoutError
    /// The rest of the time.
    let left: Duration
    private let timers: TimerQueue

    private enum Event: Sendable {
        case ended(Result<TransportResponse, any Error>)
        case expired
    }

    /// Creates a limit, of which a part may be over.
    init(
        _ kind: RequestTimeoutError.Kind,
        _ limit: Duration,
        after elapsed: Duration = .zero,
        _ timers: TimerQueue
    ) {
        timeout = RequestTimeoutError(kind: kind, limit: min(limit, .longestTimeout))
        left = timeout.limit - elapsed
        self.timers = timers
    }

    /// The same limit as a deadline, which the stages below look at.
    var deadline: RequestDeadline { RequestDeadline(timeout, after: left) }

    /// Passes a request on in a child task, which is cancelled at the end of the time.
    ///
    /// The task of the caller is not cancelled, so the stages above can react to the timeout, for example by a retry. A response that
    /// arrives in spite of the cancellation is returned, unless its body is a stream, which the cancellation has ended.
    @inline(never)
    nonisolated(nonsending) func send(
        _ request: UncheckedRequest,
        _ context: RequestContext,
        to next: RequestHandler
    ) async throws -> TransportResponse {
        guard left > .zero else { throw error(of: request) }
        let inbox = TaskInbox<Event>()
        return try await withTaskGroup(of: Void.self) { group in
            let timer = timers.start(after: left) { inbox.post(.expired) }
            defer { timers.stop(timer) }
            group.begin {
                do {
                    inbox.post(.ended(.success(try await next(request, context))))
                } catch {
                    inbox.post(.ended(.failure(error)))
                }
            }
            var hasExpired = false
            while true {
                switch await inbox.next() {
                case .expired:
                    hasExpired = true
                    context.record.recordExpiry(of: timeout)
                    group.cancelAll()
                case .ended(let result):
                    guard hasExpired, !context.isEnding else { return result }
                    guard case .success(let response) = result, response.isSaved || !response.isStream else {
                        return .failure(error(of: request))
                    }
                    return result
                }
            }
        }.get()
    }

    private func error(of request: UncheckedRequest) -> URLError { .timedOut(timeout, url: request.urlRequest.url) }
}

extension TransportResponse {
    fileprivate var isStream: Bool { if case .stream = body { true } else { false } }
}
