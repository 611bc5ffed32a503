import Foundation
import Testing

@testable import MoyaHTTP

@Suite("The events of one request arrive one after the other")
struct EventReporterTests {
    /// Waits in the first event until another thread has reported further ones.
    private final class Monitor: EventMonitor {
        let texts = Locked<[String]>([])
        let began = DispatchSemaphore(value: 0)
        let mayContinue = DispatchSemaphore(value: 0)

        func record(_ event: RequestEvent) {
            texts.withLock { $0.append("\(event.kind)") }
            guard case .connected = event.kind else { return }
            began.signal()
            mayContinue.wait()
        }
    }

    @Test("an event that is reported during another one follows it, and no event follows the last one")
    func order() {
        let monitor = Monitor()
        let reporter = EventReporter(SessionMonitors([monitor], collectsMetrics: false), RequestRecord())
        let thread = Thread { reporter.report(.connected) }
        thread.start()
        monitor.began.wait()
        reporter.report(.body(bytes: 1))
        reporter.report(.finished(status: 200))
        reporter.report(.body(bytes: 2))
        #expect(monitor.texts.withLock { $0 } == ["connected"])
        monitor.mayContinue.signal()
        let end = Date().addingTimeInterval(60)
        while monitor.texts.withLock({ $0.count }) < 3, Date() < end { usleep(1_000) }
        reporter.report(.connected)
        #expect(monitor.texts.withLock { $0 } == ["connected", "body(bytes: 1)", "finished(status: 200)"])
    }
}
