import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tells the monitors of a session about one request. There is none where there are no monitors, so that they cost nothing.
struct EventReporter: Sendable {
    private let monitors: [any EventMonitor]
    private let id: UUID
    private let record: RequestRecord

    init?(_ monitors: [any EventMonitor], _ record: RequestRecord) {
        guard !monitors.isEmpty else { return nil }
        self.monitors = monitors
        self.record = record
        id = record.id
    }

    func report(_ kind: RequestEvent.Kind) {
        let (retryCount, redirectCount) = record.counts
        let event = RequestEvent(
            id: id,
            retryCount: retryCount,
            redirectCount: redirectCount,
            kind: kind,
            date: Date(),
            instant: .now
        )
        for monitor in monitors { monitor.record(event) }
    }

    /// The same body, with what is read of it, its end or its error told.
    ///
    /// - Parameter status: Of the response.
    func watching(_ body: TransportBodyStream, status: Int) -> TransportBodyStream {
        let end = BodyEnd(reporter: self, status: status)
        let iterator = Locked(body.makeAsyncIterator())
        return TransportBodyStream {
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

    /// Tells of the end of a body once, at the latest when its reader lets go of it.
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
