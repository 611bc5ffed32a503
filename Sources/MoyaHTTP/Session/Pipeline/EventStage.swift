import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reports the beginning and the end of a request to the session's monitors.
struct EventStage: RequestStage {
    nonisolated(nonsending) func respond(
        to request: OutgoingRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        guard let events = context.events else { return try await next(request, context) }
        events.report(.queued(request.urlRequest))
        do {
            var response = try await next(request, context)
            switch response.body {
            case .complete(let data):
                events.report(.body(bytes: data.count))
                events.report(.finished(status: response.status))
            case .stream where response.isSaved:
                events.report(.finished(status: response.status))
            case .stream(let stream):
                response.body = .stream(events.observing(stream, status: response.status))
            }
            return response
        } catch {
            events.report(
                .failed(error.asCancellation(of: request.urlRequest.url, isCancelled: context.isCancelled))
            )
            throw error
        }
    }
}

/// Reports the events of one request to the monitors of its session.
struct EventReporter: Sendable {
    private let monitors: [any EventMonitor]
    private let state: RequestState

    /// Creates a reporter; `nil` if there are no monitors.
    init?(_ monitors: [any EventMonitor], _ state: RequestState) {
        guard !monitors.isEmpty else { return nil }
        self.monitors = monitors
        self.state = state
    }

    func report(_ kind: RequestEvent.Kind, _ info: ResponseInfo? = nil) {
        let counts = state.counts
        let event = RequestEvent(
            id: state.id,
            retryCount: counts.retries,
            redirectCount: counts.redirects,
            kind: kind,
            info: info,
            date: Date(),
            instant: .now
        )
        for monitor in monitors { monitor.record(event) }
    }

    /// Returns the same body, and reports what is read of it, and its end or its error.
    fileprivate func observing(_ body: TransportBodyStream, status: Int) -> TransportBodyStream {
        let end = BodyEnd(reporter: self, status: status)
        let iterator = Locked(body.makeAsyncIterator())
        return body.replacingChunks {
            var reader = iterator.withLock { $0 }
            do {
                guard let chunk = try await reader.next() else {
                    end.reached(nil)
                    return nil
                }
                end.reporter.report(.body(bytes: chunk.count))
                return chunk
            } catch {
                end.reached(error)
                throw error
            }
        }
    }

    /// Reports the end of a body once, at the latest when its reader releases it.
    private final class BodyEnd: Sendable {
        let reporter: EventReporter
        private let status: Int
        private let isReached = Locked(false)

        init(reporter: EventReporter, status: Int) {
            self.reporter = reporter
            self.status = status
        }

        func reached(_ error: (any Error)?) {
            let isFirst = isReached.withLock { isReached in
                defer { isReached = true }
                return !isReached
            }
            guard isFirst else { return }
            reporter.report(error.map { .failed($0) } ?? .finished(status: status))
        }

        deinit { reached(URLError.cancelled(url: nil)) }
    }
}
